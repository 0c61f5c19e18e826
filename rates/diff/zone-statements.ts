import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** How the component of what is said of zones begins. */
export const ZONES = 'zones '

type ZoneSet = NonNullable<RateSetSpec['zones']>[number]

/** The postcodes of each zone of a set, as ranges: a postcode that several list is of the first. */
export function postcodesOf({ values }: ZoneSet): { zone: string; postcodes: string }[] {
  const taken = new Set<number>()
  return values.map(({ zone, postcodes }) => {
    const own = postcodes.flatMap(numbersOf).filter((one) => !taken.has(one))
    for (const one of own) taken.add(one)
    return { zone, postcodes: rangesOf(own) }
  })
}

/** All numbers of `3000-3006`, or of `3008`. */
export function numbersOf(range: string): number[] {
  const [first = 0, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/** Ranges of numbers, in their order: `3000-3006, 3008`. */
export const rangesOf = (numbers: readonly number[]): string => listOf(numbers).join(', ')

/** The same as a list. */
export function listOf(numbers: readonly number[]): string[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const starts = sorted.flatMap((one, at) => (sorted[at - 1] === one - 1 ? [] : [at]))
  return starts.map((start, at) => {
    const [first, last] = [sorted[start]!, sorted[(starts[at + 1] ?? sorted.length) - 1]!]
    return first === last ? postcode(first) : `${postcode(first)}-${postcode(last)}`
  })
}

const postcode = (number: number): string => String(number).padStart(4, '0')
