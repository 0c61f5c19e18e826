import { formatExact, type Exact, type RoundMode } from './exact.ts'

/** What a step does to the amount so far; amounts in cents. */
export type Doing =
  /** The amount is `cents`, whatever it was. */
  | { readonly kind: 'amount' | 'basis'; readonly cents: Exact }
  /** So many units, a part of one counted as `part` says, at `rateCents` each. */
  | {
      readonly kind: 'units'
      readonly of: string
      readonly quantity: Exact
      readonly per: string
      readonly part: 'up' | 'down' | 'prorata'
      readonly rateCents: Exact
    }
  | { readonly kind: 'above' | 'plus' | 'atLeast' | 'atMost'; readonly cents: Exact }
  /** `of` says what it is in the rate set, where it is not a plain amount. */
  | { readonly kind: 'less'; readonly cents: Exact; readonly of?: string }
  | { readonly kind: 'percent' | 'percentOff'; readonly percent: string }
  /** percent + (amount - aboveCents) / divisorCents, rounded to so many decimals, of the amount. */
  | {
      readonly kind: 'risingPercent'
      readonly percent: string
      readonly aboveCents: Exact
      readonly divisorCents: Exact
      readonly decimals: number
      readonly mode: RoundMode
    }
  /** `rateCents` for each `perCents` of the amount, or part of it. */
  | { readonly kind: 'perPart'; readonly rateCents: Exact; readonly perCents: Exact }
  | { readonly kind: 'round'; readonly toCents: Exact; readonly mode: RoundMode }
  | { readonly kind: 'term'; readonly months: number; readonly factor: string }
  /** Of a concession: `cents`, times `factor` where the amount is one for a year. */
  | { readonly kind: 'amountOff' | 'set'; readonly cents: Exact; readonly factor?: Exact }

/** The same with each number as an exact decimal or fraction. */
type Written<D> = { readonly [K in keyof D]: Exact extends D[K] ? string : D[K] }

/** One step from nothing to the value of a line, and the cents that it leaves. */
export type AccountStep = (Doing extends infer D ? (D extends Doing ? Written<D> : never) : never) & {
  readonly leavesCents: string
}

/** Writes what a figure does; only where an account was asked for. */
export function write({ account }: { account: AccountStep[] }, doing: Doing, leavesCents: Exact): void {
  const step = Object.entries({ ...doing, leavesCents }).map(([name, value]) => [name, writtenValue(value)])
  account.push(Object.fromEntries(step) as AccountStep)
}

const writtenValue = (value: string | number | Exact) => (typeof value === 'object' ? formatExact(value) : value)

/** Writes the amount, or the basis, with which an account begins. */
export const writeStart = (trace: { account: AccountStep[] }, kind: 'amount' | 'basis', cents: Exact): void =>
  write(trace, { kind, cents }, cents)
