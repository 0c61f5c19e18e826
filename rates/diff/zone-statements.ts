import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** How the component of what is said of zones begins. */
export const ZONES = 'zones '

type ZoneSet = NonNullable<RateSetSpec['zones']>[number]

/** The zone of each postcode of a set: of a postcode that several zones list, the first of them. */
export function zonesOfPostcodes({ values }: ZoneSet): [postcode: string, zone: string][] {
  const zones = new Map<string, string>()
  for (const { zone, postcodes } of values) {
    for (const postcode of postcodes.flatMap(numbersOf).map(postcodeOf)) {
      if (!zones.has(postcode)) zones.set(postcode, zone)
    }
  }
  return [...zones]
}

/** All numbers of `3000-3006`, or of `3008`. */
function numbersOf(range: string): number[] {
  const [first = 0, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/** Ranges of numbers, in their order: `3000-3006` and `3008`. */
export function listOf(numbers: readonly number[]): string[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const starts = sorted.flatMap((one, at) => (sorted[at - 1] === one - 1 ? [] : [at]))
  return starts.map((start, at) => {
    const [first, last] = [sorted[start]!, sorted[(starts[at + 1] ?? sorted.length) - 1]!]
    return first === last ? postcodeOf(first) : `${postcodeOf(first)}-${postcodeOf(last)}`
  })
}

const postcodeOf = (number: number): string => String(number).padStart(4, '0')
