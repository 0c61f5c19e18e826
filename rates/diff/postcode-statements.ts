import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { keyed, type Statement } from './statements.ts'
import { ZONES, zonesOfPostcodes } from './zone-statements.ts'

/** The zone of each postcode, by key. Zones hold on all days of a set and may be most of what a set says: they are read once. */
export function postcodeStatements({ zones = [] }: RateSetSpec): Map<string, Statement> {
  const all = zones.flatMap((one, at) =>
    zonesOfPostcodes(one).map(([postcode, zone]): Statement => {
      const said = { key: postcode, label: postcode, value: zone, about: 'terms' as const, path: `zones[${at}]` }
      return { ...said, component: `${ZONES}${one.name}`, kind: 'other', sources: [] }
    }),
  )
  return keyed(all)
}
