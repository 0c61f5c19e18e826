import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { namesOf } from './corresponding-statement.ts'
import type { SetStatements } from './spans.ts'
import type { Statement } from './statements.ts'
import { zonesOfPostcodes } from './zone-statements.ts'

/*
 * A zone that only one side of a comparison has is a part of another zone on the other side, when all of its postcodes
 * are in that one there. The vehicles of these postcodes were not without an amount: theirs was the amount of that zone.
 */

/** The statement of the row of a table for the zone that has all postcodes of a zone which the set lacks. */
export function inOtherZone(one: Statement, of: SetStatements, said: SetStatements): Statement | undefined {
  const ofZone = one.kind === 'rule' && of !== said ? one.places?.at(-1)?.zone : undefined
  const zone = ofZone && zoneAround(ofZone, of.spec, said.spec)
  if (zone === undefined) return undefined
  const others = (places: Statement['places'] = []) => places.slice(0, -1).map(({ name }) => name)
  const around = others(one.places).join('\n')
  const found = [...said.statements.values()].find(
    ({ component, key, places }) =>
      component === one.component &&
      key === one.key &&
      places?.at(-1)?.zone?.list === ofZone?.list &&
      places?.at(-1)?.zone?.name === zone &&
      others(places).join('\n') === around,
  )
  return found && { ...found, ...namesOf(one), formerZone: labelOf(said.spec, { list: ofZone!.list, name: zone }) }
}

/** What readers call a zone. */
const labelOf = ({ zones = [] }: RateSetSpec, { list, name }: { list: string; name: string }): string =>
  zones.find((one) => one.name === list)?.values.find(({ zone }) => zone === name)?.label ?? name

/** The only zone of a set that has the postcodes of a zone of another set; undefined when the set has the zone itself. */
function zoneAround(
  { list, name }: { list: string; name: string },
  of: RateSetSpec,
  said: RateSetSpec,
): string | undefined {
  const [own, others] = [of, said].map(({ zones = [] }) => zones.find((one) => one.name === list))
  if (!own || !others || others.values.some(({ zone }) => zone === name)) return undefined
  const [inOwn, inOthers] = [zonesIn(own), zonesIn(others)]
  const postcodes = [...inOwn].flatMap(([postcode, zone]) => (zone === name ? [postcode] : []))
  const [zone, ...more] = new Set(postcodes.map((postcode) => inOthers.get(postcode)))
  return more.length === 0 ? zone : undefined
}

type ZoneSet = NonNullable<RateSetSpec['zones']>[number]

/** Cached because a list is asked for once for each amount of its tables. */
const known = new WeakMap<ZoneSet, ReadonlyMap<string, string>>()

function zonesIn(list: ZoneSet): ReadonlyMap<string, string> {
  const found = known.get(list) ?? new Map(zonesOfPostcodes(list))
  known.set(list, found)
  return found
}
