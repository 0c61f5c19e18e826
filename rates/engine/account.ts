import { formatExact, type Exact, type RoundMode } from './exact.ts'

/** What a step does to the amount so far; numbers are exact decimals or fractions, amounts in cents. */
export type Doing =
  /** The amount is `cents`, whatever it was. */
  | { readonly kind: 'amount' | 'basis'; readonly cents: string }
  /** So many units, a part of one counted as `part` says, at `rateCents` each. */
  | {
      readonly kind: 'units'
      readonly of: string
      readonly quantity: string
      readonly per: string
      readonly part: 'up' | 'down' | 'prorata'
      readonly rateCents: string
    }
  | { readonly kind: 'above' | 'plus' | 'atLeast' | 'atMost'; readonly cents: string }
  /** `of` says what it is in the rate set, where it is not a plain amount. */
  | { readonly kind: 'less'; readonly cents: string; readonly of?: string }
  | { readonly kind: 'percent' | 'percentOff'; readonly percent: string }
  /** percent + (amount - aboveCents) / divisorCents, rounded to so many decimals, of the amount. */
  | {
      readonly kind: 'risingPercent'
      readonly percent: string
      readonly aboveCents: string
      readonly divisorCents: string
      readonly decimals: number
      readonly mode: RoundMode
    }
  /** `rateCents` for each `perCents` of the amount, or part of it. */
  | { readonly kind: 'perPart'; readonly rateCents: string; readonly perCents: string }
  | { readonly kind: 'round'; readonly toCents: string; readonly mode: RoundMode }
  | { readonly kind: 'term'; readonly months: number; readonly factor: string }
  /** Of a concession: `cents`, times `factor` where the amount is one for a year. */
  | { readonly kind: 'amountOff' | 'set'; readonly cents: string; readonly factor?: string }

/** One step from nothing to the value of a line, and the cents that it leaves. */
export type AccountStep = Doing & { readonly leavesCents: string }

/** Writes what a figure does; only where an account was asked for. */
export function write({ account }: { account: AccountStep[] }, doing: Doing, leaves: Exact): void {
  account.push({ ...doing, leavesCents: formatExact(leaves) })
}

/** Writes the amount, or the basis, with which an account begins. */
export const writeStart = (trace: { account: AccountStep[] }, kind: 'amount' | 'basis', amount: Exact): void =>
  write(trace, { kind, cents: formatExact(amount) }, amount)
