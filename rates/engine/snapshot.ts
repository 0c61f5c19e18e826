import type { RateSetSpec } from './grammar/rate-set.ts'
import type { Program } from './program.ts'

/** One rate set as it was read: RateSet name, attested digest, spec, and the digests of its imports by RateSet name. */
export interface LoadedSet {
  name: string
  digest: string
  spec: RateSetSpec
  imports: Record<string, string>
}

export interface SourceSummary {
  readonly label: string
  readonly url: string
  readonly authority: string
  readonly kind: string
  readonly official: boolean
}

/** One rule as data: what `GET /v1/rules` shows of it. Dates are ISO, both inclusive. */
export interface RuleSummary {
  readonly id: string
  readonly component: string
  readonly category: 'dutiable' | 'onRoad' | 'additional'
  readonly name: string
  readonly description: string
  readonly pricingCode: string
  readonly startDate: string
  readonly endDate: string
  readonly priority: number
  readonly verification: {
    readonly mode: string
    readonly componentType: string
    readonly evidence: string
    readonly verifiedOn: string
    readonly reviewBy: string
    readonly officialSources: readonly SourceSummary[]
  }
}

/** One concession as data; dates are ISO, both inclusive. */
export interface ConcessionSummary {
  readonly type: string
  readonly label: string
  readonly description: string
  readonly startDate: string
  readonly endDate: string
}

/** What one pricing code offers in one financial year. */
export interface JurisdictionYear {
  readonly financialYear: string
  readonly startDate: string
  readonly endDate: string
  readonly timeZone: string
  readonly terms: readonly number[]
  readonly registrationTypes: readonly { readonly type: string; readonly startDate: string; readonly endDate: string }[]
  readonly concessions: readonly ConcessionSummary[]
  /** Own rules in file order, then those of the imports. */
  readonly rules: readonly RuleSummary[]
  readonly program: Program
}

/** One quotable pricing code. */
export interface Jurisdiction {
  readonly pricingCode: string
  /** IANA zone of its latest year. */
  readonly timeZone: string
  /** The unbroken run of years that ends with the latest; ISO dates, both inclusive. */
  readonly range: { readonly start: string; readonly end: string; readonly financialYears: readonly string[] }
  /** By financial year, `2026-2027`; only the years of the range. */
  readonly years: Readonly<Record<string, JurisdictionYear>>
}

/** Everything that one process prices with: read-only, and the same for the whole of a request. */
export interface Snapshot {
  readonly release: string
  /** By pricing code; quotable ones only. */
  readonly jurisdictions: Readonly<Record<string, Jurisdiction>>
  /** Attested digest by RateSet name. */
  readonly digests: Readonly<Record<string, string>>
  /** Compiled sets by RateSet name, those that are only imported too. */
  readonly programs: Readonly<Record<string, Program>>
}

/** Compiles each set once, or takes it from `previous` where its digest and imports are unchanged; throws Error with the set's name and path. */
export function buildSnapshot(_input: { release: string; sets: LoadedSet[] }, _previous?: Snapshot): Snapshot {
  throw new Error('no set can be compiled yet')
}
