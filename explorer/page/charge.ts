import type { Amounts } from '#rates/engine/quote/amounts.ts'
import { money } from './words.ts'

/** What a component comes to: cents, or that it is due but has no price in the sources. */
export type Charge = number | 'unpriced'

/** The charges of a vehicle by component; a component that is absent is not charged. */
export type Charges = ReadonlyMap<string, Charge>

/** The charges of a priced vehicle, with those that have no price. */
export const chargesOf = ({ onRoad, unpriced }: Pick<Amounts, 'onRoad' | 'unpriced'>): Charges =>
  unpriced.length === 0
    ? onRoad
    : new Map<string, Charge>([...onRoad, ...unpriced.map((name) => [name, 'unpriced'] as const)])

/** The difference in cents; null where a side has no price, because then nobody knows it. */
export const differenceOf = (from: Charge | null, to: Charge | null): number | null =>
  from === 'unpriced' || to === 'unpriced' ? null : (to ?? 0) - (from ?? 0)

/** A charge in words; null where the component is not charged. */
export const shown = (charge: Charge | null): string => {
  if (charge === null) return 'no line'
  return charge === 'unpriced' ? 'no price' : money(charge)
}

/** A difference in words. */
export const shownDifference = (cents: number | null): string => (cents === null ? 'not known' : money(cents))

/** A charge as a cell of a CSV file: cents, empty where the component is not charged. */
export const cellOf = (charge: Charge | null): string | number => {
  if (charge === null) return ''
  return charge === 'unpriced' ? 'no price' : charge
}
