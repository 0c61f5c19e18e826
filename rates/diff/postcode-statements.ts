import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { keyed, type Statement } from './statements.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'
import { ZONES, zonesOfPostcodes } from './zone-statements.ts'

/**
 * The zone of each postcode, by key. They are read once for a set, because zones apply on all days of a set and may be
 * most of its statements.
 */
export function postcodeStatements(
  { zones = [] }: RateSetSpec,
  words: Vocabulary = AS_WRITTEN,
): Map<string, Statement> {
  const all = zones.flatMap((one, at) =>
    zonesOfPostcodes(one).map(([postcode, zone]): Statement => {
      const value = words.zone(zone, one.name)
      const said = { key: postcode, label: postcode, value, about: 'terms' as const, path: `zones[${at}]` }
      const heading = words.zoneList(one.name)
      return { ...said, component: `${ZONES}${one.name}`, heading, kind: 'other', sources: [] }
    }),
  )
  return keyed(all)
}
