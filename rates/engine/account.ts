import { formatExact, type Exact, type RoundMode } from './exact.ts'

/** What one step does to the amount so far; all amounts are in cents. */
export type Doing =
  /** Sets the amount to `cents`, whatever it was before. */
  | { readonly kind: 'amount' | 'basis'; readonly cents: Exact }
  /** Charges `rateCents` for each unit; `part` says how a part of a unit is counted. */
  | {
      readonly kind: 'units'
      readonly of: string
      readonly quantity: Exact
      readonly per: string
      readonly part: 'up' | 'down' | 'prorata'
      readonly rateCents: Exact
    }
  | { readonly kind: 'above' | 'plus' | 'atLeast' | 'atMost'; readonly cents: Exact }
  /** Subtracts `cents`; `of` names the amount as the rate set does, when it is not a plain amount. */
  | { readonly kind: 'less'; readonly cents: Exact; readonly of?: string }
  | { readonly kind: 'percent' | 'percentOff'; readonly percent: string }
  /**
   * Charges a percentage of the amount: percent + (amount - aboveCents) / divisorCents, rounded to `decimals` places.
   */
  | {
      readonly kind: 'risingPercent'
      readonly percent: string
      readonly aboveCents: Exact
      readonly divisorCents: Exact
      readonly decimals: number
      readonly mode: RoundMode
    }
  /** Charges `rateCents` for each `perCents` of the amount or part of it. */
  | { readonly kind: 'perPart'; readonly rateCents: Exact; readonly perCents: Exact }
  | { readonly kind: 'round'; readonly toCents: Exact; readonly mode: RoundMode }
  | { readonly kind: 'term'; readonly months: number; readonly factor: string }
  /** Applies a concession: `cents`, multiplied by `factor` when the concession states an annual amount. */
  | { readonly kind: 'amountOff' | 'set'; readonly cents: Exact; readonly factor?: Exact }

/** The same type with each number written as an exact decimal or fraction. */
type Written<D> = { readonly [K in keyof D]: Exact extends D[K] ? string : D[K] }

/** One step of the account of a line, and the amount in cents after the step. */
export type AccountStep = (Doing extends infer D ? (D extends Doing ? Written<D> : never) : never) & {
  readonly leavesCents: string
}

/** Adds a step to the account, when an account was requested. */
export function write({ account }: { account: AccountStep[] }, doing: Doing, leavesCents: Exact): void {
  const step = Object.entries({ ...doing, leavesCents }).map(([name, value]) => [name, writtenValue(value)])
  account.push(Object.fromEntries(step) as AccountStep)
}

const writtenValue = (value: string | number | Exact) => (typeof value === 'object' ? formatExact(value) : value)

/** Adds the first step of an account: the amount, or the basis, with which the account begins. */
export const writeStart = (trace: { account: AccountStep[] }, kind: 'amount' | 'basis', cents: Exact): void =>
  write(trace, { kind, cents }, cents)
