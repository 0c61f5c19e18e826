import type { AccountStep } from './account.ts'

/** All money in an answer is integer cents. */

/** How the figure of a line was computed; present only on request, and never part of the figure. */
export interface Explanation {
  /** Path of the case in the rate set, e.g. `rules[3].cases[1]`. */
  case: string
  /** Name and amount in cents of the basis, when the charge is computed on one. */
  basis?: { name: string; amount: number }
  /** The band, row or cell used, e.g. `charge.bands[2]`. */
  step?: string
  /** The result of the rate in cents, before `less`, bounds and rounding, as an exact decimal or fraction. */
  unroundedCents?: string
  /** The rounding of the charge, to a multiple of `toCents`, an exact decimal. */
  round?: { toCents: string; mode: string }
  term?: { months: number; factor: string }
  concession?: string
  /** Every step of the computation in order; the value of the line is the amount after the last step. */
  account: AccountStep[]
  sources: { label: string; url: string; authority: string; official: boolean }[]
}

export interface QuoteLine {
  description: string
  value: number
  ruleId: string
  component: string
  evidence: string
  /** First day of the rule used. */
  startDate: string
  tax: { type: 'GST' | 'NONE'; rate: string; amount: number }
  amounts: { exclusive: number; tax: number; inclusive: number }
  explain?: Explanation
}

/**
 * The kind of an assumption. `default`: the interface's own value for a field that was not sent. `assumed`: a value
 * that the rates assume for such a field. `estimate`: a line whose figure is not certain. `ignored`: a field that
 * changes nothing. `unpriced`: a component without a price. `doubted`: a value that was sent and may be a mistake.
 */
export type AssumptionKind = 'default' | 'assumed' | 'estimate' | 'ignored' | 'unpriced' | 'doubted'

export interface Assumption {
  kind: AssumptionKind
  /**
   * JSON pointer into the request, e.g. `/vehicleGeneric/cylinders`; empty when no field would settle the assumption.
   */
  path: string
  /** The component whose line depends on the assumption, if there is one. */
  component?: string
  /**
   * A value of the field at `path` that gives the same price; null if there is none. Without a path, the line's cents.
   */
  assumed: string | number | boolean | null
  /** The text of the warning that says the same. */
  reason: string
}

/**
 * Why a component has no price: a fact was not sent, the rates have no figure, or the rates do not cover the request.
 */
export type UnpricedBecause = 'missing_fact' | 'no_figure' | 'not_supported'

/** A component that is due, or may be due, and has no line. */
export interface UnpricedComponent {
  component: string
  /** Pricing code of the set that defines the component: `AU` for a federal component. */
  pricingCode: string
  because: UnpricedBecause
  /** JSON pointer of a field that would help; absent when no field would. */
  path?: string
  reason: string
}

/** The answer of `POST /v1/quote`. */
export interface Quote {
  categories: { dutiable: QuoteLine[]; onRoad: QuoteLine[]; additional: QuoteLine[] }
  totals: {
    dutiable: number
    onRoad: number
    additional: number
    driveAway: number
    tax: { dutiable: number; onRoad: number; additional: number; overall: number }
  }
  metadata: {
    release: string
    financialYear: string
    /** Whether every component that is due has a price. */
    complete: boolean
    /** The components without a price; empty when the quote is complete. */
    unpriced: UnpricedComponent[]
    /** Components whose line is an estimate that is not an upper bound: the amount charged may be higher. */
    mayRise: string[]
    warnings: string[]
    assumptions: Assumption[]
    taxFallbackApplied: boolean
    taxEffectiveDate?: string
  }
}

export type PricingCodeOfFault =
  | 'bad_request'
  | 'INCOMPLETE_QUOTE'
  | 'INVALID_PRICING_CODE'
  | 'UNSUPPORTED_FINANCIAL_YEAR'
  | 'UNSUPPORTED_REGISTRATION_DATE'
  | 'UNSUPPORTED_REGISTRATION_TYPE'
  | 'UNSUPPORTED_REGISTRATION_TERM'
  | 'INVALID_VEHICLE_INPUT'
  | 'INVALID_CONCESSION'
  | 'INVALID_TARGET'
  | 'TARGET_NOT_ACHIEVABLE'
  | 'not_ready'

/**
 * One part of a fault: the JSON pointer of a field in the request, empty when no field would help, and what is wrong.
 */
export interface FaultPart {
  path: string
  message: string
  component?: string
}

/** A request that cannot be priced: a stable code, the field's JSON pointer in the request, and what was expected. */
export class PricingFault extends Error {
  readonly code: PricingCodeOfFault
  readonly path: string
  /** Every part of the fault; one part, the one at `path`, unless several were found. */
  readonly parts: readonly FaultPart[]

  constructor(code: PricingCodeOfFault, path: string, message: string, parts?: readonly FaultPart[]) {
    super(message)
    this.name = 'PricingFault'
    this.code = code
    this.path = path
    this.parts = parts ?? [{ path, message }]
  }
}

/** Thrown when a quote lacks components and the request accepts only a complete quote. */
export class IncompleteQuote extends PricingFault {
  readonly unpriced: readonly UnpricedComponent[]

  constructor(unpriced: readonly UnpricedComponent[]) {
    const parts = unpriced.map(({ component, path = '', reason }) => ({ path, message: reason, component }))
    const names = unpriced.map(({ component }) => component).join(', ')
    const message = `The quote is incomplete, and options.incomplete is reject. Without a price: ${names}.`
    super('INCOMPLETE_QUOTE', parts[0]?.path ?? '', message, parts)
    this.unpriced = unpriced
  }
}
