import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import { covers, yearDates } from '#rates/engine/dates.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { QuoteCase } from '#rates/files/cases.ts'
import { runCase } from '#rates/proof/run-case.ts'
import { rateSetName } from '#rates/published/financial-year.ts'

/** What detects a mutant first; `survived` if nothing does. */
export type Killer = 'checks' | 'examples' | 'cases' | 'survived'

/** A set and everything that proves it. */
export interface Proof {
  spec: RateSetSpec
  imports: readonly RateSetSpec[]
  /** The sets of the same year that import it. */
  importers: readonly RateSetSpec[]
  cases: readonly QuoteCase[]
}

/** All sets of a folder with their imports, their importers and the cases of their year. */
export function proofsOf(specs: readonly RateSetSpec[], cases: readonly QuoteCase[]): Proof[] {
  return specs.map((spec) => {
    const year = specs.filter((other) => other.financialYear === spec.financialYear)
    const importers = year.filter((other) => other.imports?.includes(spec.pricingCode))
    const codes = new Set([spec.pricingCode, ...importers.map(({ pricingCode }) => pricingCode)])
    const isOfYear = (each: QuoteCase) => covers(yearDates(spec.financialYear), pricingDate(each, specs))
    return {
      spec,
      importers,
      imports: year.filter((other) => spec.imports?.includes(other.pricingCode)),
      cases: cases.filter((each) => codes.has(each.pricingCode) && isOfYear(each)),
    }
  })
}

/** The day whose rates price a case: the day of purchase, or the last covered day if earlier rates are used. */
function pricingDate({ pricingCode, request }: QuoteCase, specs: readonly RateSetSpec[]): string {
  const { date, purchaseDate = date, outOfRange } = request
  const isCovered = specs.some(
    (spec) => spec.pricingCode === pricingCode && covers(yearDates(spec.financialYear), date),
  )
  return outOfRange === 'prior_year' && !isCovered ? purchaseDate : date
}

/** What detects a mistake in a set: its checks, its worked examples and those of its importers, or the cases. */
export function judge(mutant: RateSetSpec, { imports, importers, cases }: Proof): Killer {
  // In the order in which an author meets them; the cheapest first would report `cases` for nearly all.
  const own = checkRateSet(mutant, imports)
  if (own.length > 0) return killerOf(own)
  for (const importer of importers) {
    const faults = checkRateSet(importer, [mutant])
    if (faults.length > 0) return killerOf(faults)
  }
  const snapshot = snapshotOf([mutant, ...imports, ...importers])
  return cases.some((each) => runCase(each, snapshot).length > 0) ? 'cases' : 'survived'
}

const killerOf = (faults: readonly { check: string }[]): Killer =>
  faults[0]?.check === 'examples-pass' ? 'examples' : 'checks'

function snapshotOf(specs: readonly RateSetSpec[]): Snapshot {
  const nameOf = ({ pricingCode, financialYear }: RateSetSpec) => rateSetName(pricingCode, financialYear)
  const sets = specs.map((spec) => {
    const imported = specs.filter(
      (other) => spec.imports?.includes(other.pricingCode) && other.financialYear === spec.financialYear,
    )
    const name = nameOf(spec)
    return {
      name,
      digest: name,
      spec,
      imports: Object.fromEntries(imported.map((each) => [nameOf(each), nameOf(each)])),
    }
  })
  return buildSnapshot({ release: 'mutant', sets })
}
