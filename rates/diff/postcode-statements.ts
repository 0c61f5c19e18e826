import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { keyed, type Statement } from './statements.ts'
import { ZONES, zonesOfPostcodes } from './zone-statements.ts'

/**
 * The zone of each postcode, by key. They are read once for a set, because zones apply on all days of a set and may be
 * most of its statements.
 */
export function postcodeStatements({ zones = [] }: RateSetSpec): Map<string, Statement> {
  const all = zones.flatMap((one, at) =>
    zonesOfPostcodes(one).map(([postcode, zone]): Statement => {
      const said = { key: postcode, label: postcode, value: zone, about: 'terms' as const, path: `zones[${at}]` }
      return { ...said, component: `${ZONES}${one.name}`, kind: 'other', sources: [] }
    }),
  )
  return keyed(all)
}
