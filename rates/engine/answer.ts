/** All money in an answer is integer cents. */

/** How a line came to its figure; only on request, and never part of the figure. */
export interface Explanation {
  /** Path of the case in the rate set, e.g. `rules[3].cases[1]`. */
  case: string
  /** The basis's name and its amount in cents, where the charge is on one. */
  basis?: { name: string; amount: number }
  /** The band, row or cell used, e.g. `charge.bands[2]`. */
  step?: string
  /** The charge before rounding, dollars as an exact decimal or fraction. */
  unrounded?: string
  round?: { to: string; mode: string }
  term?: { months: number; factor: string }
  concession?: string
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

export interface Assumption {
  /** JSON pointer into the request, e.g. `/vehicleGeneric/cylinders`; empty where no field would settle it. */
  path: string
  /** The component whose line it is about, where it is about the line and not about a field. */
  component?: string
  /** The value taken; null where there is none. Of a component's line, its cents. */
  assumed: string | number | boolean | null
  /** The warning that this is the twin of. */
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
    warnings: string[]
    assumptions: Assumption[]
    taxFallbackApplied: boolean
    taxEffectiveDate?: string
  }
}

export type PricingCodeOfFault =
  | 'INVALID_PRICING_CODE'
  | 'UNSUPPORTED_FINANCIAL_YEAR'
  | 'UNSUPPORTED_REGISTRATION_DATE'
  | 'UNSUPPORTED_REGISTRATION_TYPE'
  | 'UNSUPPORTED_REGISTRATION_TERM'
  | 'INVALID_VEHICLE_INPUT'
  | 'INVALID_CONCESSION'
  | 'INVALID_TARGET'
  | 'TARGET_NOT_ACHIEVABLE'

/** A request that cannot be priced: a stable code, the field's JSON pointer in the request, and what was expected. */
export class PricingFault extends Error {
  readonly code: PricingCodeOfFault
  readonly path: string

  constructor(code: PricingCodeOfFault, path: string, message: string) {
    super(message)
    this.name = 'PricingFault'
    this.code = code
    this.path = path
  }
}
