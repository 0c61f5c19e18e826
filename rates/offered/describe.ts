import { FACT_PATH } from '../engine/price/fact-paths.ts'
import type { Fact } from '../engine/grammar/facts.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Program } from '../engine/compile/program.ts'
import type { CompiledRule } from '../engine/compile/rule.ts'
import type { Snapshot, SupportedRange } from '../engine/snapshot.ts'
import type { JurisdictionYear } from '../engine/summaries.ts'
import { concessionsOfYear, rulesOfYear, type ConcessionSummary } from '../engine/year-listings.ts'
import { factsOfRule } from './facts-read.ts'
import { coverageOf, type Coverage } from './vehicle-coverage.ts'
import { withoutFact, type WithoutFact } from './without-fact.ts'

/** A component of a year: the charge, its name in that jurisdiction, and the pricing code whose rates define it. */
export interface OfferedComponent {
  component: string
  name: string
  pricingCode: string
  category: string
  startDate: string
  endDate: string
}

/** A field of the request on which charges depend. */
export interface OfferedFact {
  /** JSON pointer into the request of a quote. */
  path: string
  components: string[]
  /** What happens to these components without the field. */
  without: (WithoutFact & { components: string[] })[]
}

/** What can be requested for one financial year. */
export interface OfferedYear {
  financialYear: string
  startDate: string
  endDate: string
  terms: readonly number[]
  registrationTypes: readonly { type: string; startDate: string; endDate: string }[]
  concessions: readonly ConcessionSummary[]
  components: OfferedComponent[]
  facts: OfferedFact[]
  coverage: Coverage[]
}

/** What can be requested for one pricing code. */
export interface OfferedJurisdiction {
  pricingCode: string
  name: string
  timeZone: string
  supportedTaxRange: SupportedRange
  years: OfferedYear[]
}

/** Describes what a snapshot can price, one pricing code at a time, so that a caller can stop in between. */
export function* describeJurisdictions({ jurisdictions, specs }: Snapshot): Generator<OfferedJurisdiction> {
  for (const { pricingCode, timeZone, range, years } of Object.values(jurisdictions)) {
    const own = specs.filter((spec) => spec.pricingCode === pricingCode)
    const latest = own.find((spec) => spec.financialYear === range.financialYears.at(-1))
    yield {
      pricingCode,
      name: latest?.jurisdiction ?? pricingCode,
      timeZone,
      supportedTaxRange: range,
      years: Object.values(years).map((year) => describeYear(year, specs)),
    }
  }
}

function describeYear(year: JurisdictionYear, specs: readonly RateSetSpec[]): OfferedYear {
  const { financialYear, startDate, endDate, terms, registrationTypes, program } = year
  const codes = new Set([program.pricingCode, ...rulesOf(program).map(({ pricingCode }) => pricingCode)])
  const sets = specs.filter((spec) => spec.financialYear === financialYear && codes.has(spec.pricingCode))
  return {
    financialYear,
    startDate,
    endDate,
    terms,
    registrationTypes,
    concessions: concessionsOfYear(year),
    components: componentsOf(year),
    facts: factsOf(program, sets),
    coverage: coverageOf(year, sets),
  }
}

function rulesOf({ order, lineRules }: Program): CompiledRule[] {
  return [...order.flatMap(({ rules }) => rules), ...lineRules.dutiable, ...lineRules.additional]
}

/** Each component once; its dates run from the start of its first rule to the end of its last. */
function componentsOf(year: JurisdictionYear): OfferedComponent[] {
  const byName = Map.groupBy(rulesOfYear(year), ({ component }) => component)
  return [...byName].map(([component, own]) => ({
    component,
    name: own[0]!.name,
    pricingCode: own[0]!.pricingCode,
    category: own[0]!.category,
    startDate: own.map(({ startDate }) => startDate).sort()[0]!,
    endDate: own
      .map(({ endDate }) => endDate)
      .sort()
      .at(-1)!,
  }))
}

/** By fact: the components that depend on the fact, and what happens to them without it. */
type Found = Map<Fact, { components: Set<string>; without: Map<string, WithoutFact & { components: string[] }> }>

function factsOf(program: Program, sets: readonly RateSetSpec[]): OfferedFact[] {
  const found: Found = new Map()
  for (const rule of rulesOf(program)) addRule(found, rule, sets)
  addDependents(found, program)
  return [...found].map(([fact, { components, without }]) => ({
    path: FACT_PATH[fact],
    components: [...components].sort(),
    without: [...without.values()],
  }))
}

function addRule(found: Found, rule: CompiledRule, sets: readonly RateSetSpec[]): void {
  const spec = sets.find(({ pricingCode }) => pricingCode === rule.pricingCode)!
  const set = { spec, imports: sets.filter((one) => one !== spec) }
  for (const read of factsOfRule(rule.spec, set)) {
    const entry = found.get(read.fact) ?? { components: new Set<string>(), without: new Map() }
    found.set(read.fact, entry)
    entry.components.add(rule.component)
    for (const outcome of withoutFact(rule, read, set)) {
      const key = JSON.stringify(outcome)
      const said = entry.without.get(key) ?? { ...outcome, components: [] }
      if (!said.components.includes(rule.component)) said.components.push(rule.component)
      entry.without.set(key, said)
    }
  }
}

/**
 * A line computed from another line depends on the facts of that line. The order of a program puts each component after
 * its needs.
 */
function addDependents(found: Found, { order }: Program): void {
  for (const { name, rules } of order) {
    const needs = rules.flatMap((rule) => [...rule.needs])
    for (const { components } of found.values()) if (needs.some((need) => components.has(need))) components.add(name)
  }
}
