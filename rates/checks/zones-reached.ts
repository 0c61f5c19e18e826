import type { Fault } from './fault.ts'
import type { ZoneList } from '../engine/grammar/zone-list.ts'
import { entries, type At, type Check } from './subject.ts'

interface Range {
  low: number
  high: number
}

const rangeOf = (text: string): Range => {
  const [low, high = low] = text.split('-').map(Number)
  return { low: low!, high: high! }
}

const POSTCODES = 10_000

/** A postcode is in a zone only once. */
export const postcodesOnce: Check = ({ spec }) =>
  zonesOf(spec.zones).flatMap(({ path, value }) => {
    // The first range that has each postcode: comparing all pairs of ranges takes seconds for the largest zones.
    const holders = new Array<string | undefined>(POSTCODES).fill(undefined)
    return entries(`${path}.postcodes`, value.postcodes).flatMap((range) => {
      const { low, high } = rangeOf(range.value)
      const twin = firstHeld(holders, low, high)
      if (twin === undefined) holders.fill(range.value, low, high + 1)
      const faults: Fault[] = []
      if (low > high) faults.push(fault(range.path, `the range ${range.value} ends before it starts`))
      if (twin) faults.push(fault(range.path, `${range.value} is already in ${twin} of ${value.zone}`))
      return faults
    })
  })

function firstHeld(holders: readonly (string | undefined)[], low: number, high: number): string | undefined {
  for (let code = low; code <= high; code++) if (holders[code] !== undefined) return holders[code]
  return undefined
}

const fault = (path: string, message: string): Fault => ({ check: 'postcodes-once', path, message })

const zonesOf = (lists: readonly ZoneList[] | undefined): At<ZoneList['values'][number]>[] =>
  entries('zones', lists).flatMap(({ path, value }) => entries(`${path}.values`, value.values))

/** Each zone has a postcode that no earlier zone has. */
export const zonesReached: Check = ({ spec }) =>
  entries('zones', spec.zones).flatMap(({ path, value: list }) => {
    const claimed = new Uint8Array(POSTCODES)
    return entries(`${path}.values`, list.values).flatMap((zone) => {
      if (takePostcodes(zone.value.postcodes, claimed)) return []
      const message = `every postcode of ${zone.value.zone} is in a zone before it`
      return [{ check: 'zones-reached', path: zone.path, message }]
    })
  })

/** Claims the postcodes of a zone; returns whether one of them was free. */
function takePostcodes(postcodes: readonly string[], claimed: Uint8Array): boolean {
  let isAny = false
  for (const text of new Set(postcodes)) {
    const { low, high } = rangeOf(text)
    isAny ||= claimed.subarray(low, high + 1).includes(0)
    claimed.fill(1, low, high + 1)
  }
  return isAny
}
