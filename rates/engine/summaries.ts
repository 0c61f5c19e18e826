import { datesInForce, yearDates } from './dates.ts'
import type { RateSetSpec } from './grammar/rate-set.ts'
import type { Program } from './compile/program.ts'

/** What one pricing code offers in one financial year. */
export interface JurisdictionYear {
  readonly financialYear: string
  readonly startDate: string
  readonly endDate: string
  readonly timeZone: string
  readonly terms: readonly number[]
  readonly registrationTypes: readonly { readonly type: string; readonly startDate: string; readonly endDate: string }[]
  /** The set itself, then its imports. */
  readonly specs: readonly RateSetSpec[]
  readonly program: Program
}

/** A set's offers as data, with the set and its imports. */
export function summarize(spec: RateSetSpec, imports: readonly RateSetSpec[], program: Program): JurisdictionYear {
  return {
    financialYear: spec.financialYear,
    ...yearDates(spec.financialYear),
    timeZone: spec.timeZone,
    terms: [...(spec.offers?.terms ?? [])],
    registrationTypes: (spec.offers?.registrationTypes ?? []).map((each) => ({
      type: each.type,
      ...datesInForce(each, spec.financialYear),
    })),
    // Not deepFreeze: the specs may be frozen already, but not deeply.
    specs: Object.freeze([spec, ...imports]),
    program,
  }
}
