import type { AccountStep } from './account.ts'

/** All money in an answer is integer cents. */

/** How a line came to its figure; only on request, and never part of the figure. */
export interface Explanation {
  /** Path of the case in the rate set, e.g. `rules[3].cases[1]`. */
  case: string
  /** The basis's name and its amount in cents, where the charge is on one. */
  basis?: { name: string; amount: number }
  /** The band, row or cell used, e.g. `charge.bands[2]`. */
  step?: string
  /** What the rate gives, before `less`, bounds and rounding, cents as an exact decimal or fraction. */
  unroundedCents?: string
  /** The rounding of the charge: to a multiple of so many cents, an exact decimal. */
  round?: { toCents: string; mode: string }
  term?: { months: number; factor: string }
  concession?: string
  /** Every step from nothing to the value of the line, in order: the value is what the last one leaves. */
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
 * What sort of statement an assumption is: `default` is the interface's own value for a field that was not sent, `assumed`
 * a value that the rates take for one, `estimate` a line whose figure is not certain, `ignored` a field that changes
 * nothing, `unpriced` a component without a price, `doubted` a value that was sent and may be a slip.
 */
export type AssumptionKind = 'default' | 'assumed' | 'estimate' | 'ignored' | 'unpriced' | 'doubted'

export interface Assumption {
  kind: AssumptionKind
  /** JSON pointer into the request, e.g. `/vehicleGeneric/cylinders`; empty where no field would settle it. */
  path: string
  /** The component whose line depends on it, where there is one. */
  component?: string
  /** A value of the field at `path`, with which the same price comes out; null where there is none. Without a path, the line's cents. */
  assumed: string | number | boolean | null
  /** The warning that this is the twin of. */
  reason: string
}

/** Why a component has no price: a fact was not sent, the rates have no figure, or they do not cover what was asked for. */
export type UnpricedBecause = 'missing_fact' | 'no_figure' | 'not_supported'

/** A component that is due, or may be, and has no line. */
export interface UnpricedComponent {
  component: string
  /** Whose rates it belongs to: `AU` for a federal component. */
  pricingCode: string
  because: UnpricedBecause
  /** JSON pointer of a field that would help; only where there is one. */
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
    /** The components without a price; empty where the quote is complete. */
    unpriced: UnpricedComponent[]
    /** Components whose line is an estimate and no upper bound: the amount charged may be higher. */
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

/** One part of a fault: a JSON pointer in the request, empty where no field would help, and what is wrong there. */
export interface FaultPart {
  path: string
  message: string
  component?: string
}

/** A request that cannot be priced: a stable code, the field's JSON pointer in the request, and what was expected. */
export class PricingFault extends Error {
  readonly code: PricingCodeOfFault
  readonly path: string
  /** Every part of the fault; the one at `path`, unless there are several. */
  readonly parts: readonly FaultPart[]

  constructor(code: PricingCodeOfFault, path: string, message: string, parts?: readonly FaultPart[]) {
    super(message)
    this.name = 'PricingFault'
    this.code = code
    this.path = path
    this.parts = parts ?? [{ path, message }]
  }
}

/** A quote that lacks components, refused because the request wants a complete one or none. */
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
