import type { ZoneList } from '../grammar/zone-list.ts'
import { refuse, type Scope, type Zones } from './scope.ts'
import { FACT_INDEX } from '../state.ts'

const POSTCODES = 10_000

/** Compiles a list of zones into a table of all postcodes; a postcode belongs to the first zone that names it. */
export function compileZones(list: ZoneList, scope: Scope): Zones {
  const table = new Uint8Array(POSTCODES)
  list.values.forEach(({ postcodes }, index) => {
    for (const range of postcodes) fillZone(table, range, index + 1)
  })
  const slot = scope.slots.zones++
  const names = list.values.map(({ zone }) => zone)
  return {
    slot,
    name: list.name,
    count: names.length,
    postcodeOf: (zone) => {
      const found = table.indexOf(zone + 1)
      return found < 0 ? null : String(found).padStart(4, '0')
    },
    zoneOf: (state) => {
      const assumed = state.overlay?.zones.get(slot)
      if (assumed !== undefined) return assumed
      const postcode = state.facts[FACT_INDEX.postcode]!
      return postcode >= 0 && postcode < POSTCODES ? table[postcode]! - 1 : -1
    },
    indexOf: (zone, place) => {
      const index = names.indexOf(zone)
      return index < 0 ? refuse(place, `${list.name} has no zone ${zone}`) : index
    },
  }
}

function fillZone(table: Uint8Array, range: string, zone: number): void {
  const [first = '', last = first] = range.split('-')
  for (let postcode = Number(first); postcode <= Number(last); postcode++) {
    if (table[postcode] === 0) table[postcode] = zone
  }
}
