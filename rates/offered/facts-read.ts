import type { Charge } from '../engine/grammar/charge.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import { FACTS, MONEY_FACTS, type Fact } from '../engine/grammar/facts.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Missing, Rule } from '../engine/grammar/rule.ts'

/** One place where a rule reads a fact of the request. */
export interface FactRead {
  fact: Fact
  /** The classes through which the rule reads the fact, outermost first. */
  classes: readonly string[]
  /** The zone list with which the postcode is looked up, when the fact is a postcode. */
  zone?: string
}

/** A set, and the sets whose bases it may name. */
export interface ReadingSet {
  spec: RateSetSpec
  imports: readonly RateSetSpec[]
}

const isFact = (name: string): name is Fact => (FACTS as readonly string[]).includes(name)

/** Every fact that may change the line of a rule, through a condition, a basis, a charge, a term or a concession. */
export function factsOfRule(rule: Rule, set: ReadingSet): FactRead[] {
  const { when, cases, basis, terms, termScale } = rule
  const reads = [
    ...ofCondition(when, set),
    ...cases.flatMap((one) => [...ofCondition(one.when, set), ...ofCharge(one.charge, set)]),
    ...(basis === undefined ? [] : ofBasis(basis, set)),
    ...(terms !== undefined || termScale !== undefined ? [plain('termMonths')] : []),
    ...ofConcessions(rule, set),
  ]
  return [...reads, ...ofMissing(rule, reads, set)]
}

/** The facts that select the value to assume for a missing fact. */
function ofMissing({ missing = [] }: Rule, reads: readonly FactRead[], set: ReadingSet): FactRead[] {
  return [...missing, ...(set.spec.missing ?? [])]
    .filter((entry) => reads.some((read) => concerns(entry, read)))
    .flatMap(({ when }) => ofCondition(when, set))
}

/** Whether a `missing` entry applies to a fact as a rule reads it. */
export const concerns = (entry: Missing, { fact, classes, zone }: FactRead): boolean =>
  entry.fact === fact ||
  (entry.class !== undefined && classes.includes(entry.class)) ||
  (entry.zone !== undefined && entry.zone === zone)

const plain = (fact: Fact): FactRead => ({ fact, classes: [] })

function ofCondition(condition: Condition | undefined, set: ReadingSet, classes: readonly string[] = []): FactRead[] {
  if (condition === undefined) return []
  const { age, present, zone, derived, class: named = [], not = [] } = condition
  const sums = (derived ?? []).map(({ name }) => set.spec.derivedFacts?.find((one) => one.name === name)?.sum ?? [])
  const facts: Fact[] = [
    ...Object.keys(condition).filter(isFact).flatMap(withStanding),
    ...(age ? [age.from, ...STANDING_FOR_AGE] : []),
    ...(present ?? []),
    ...sums.flat().map(({ fact }) => fact),
  ]
  return [
    ...facts.map((fact) => ({ fact, classes })),
    ...(zone ? [{ fact: 'postcode' as const, classes, zone: zone.name }] : []),
    ...[...named, ...not].flatMap((name) => ofClass(name, set, classes)),
  ]
}

/** The facts that prove an age when the date of manufacture is not sent. */
const STANDING_FOR_AGE: readonly Fact[] = ['firstRegisteredDate', 'year']

/** The facts that prove something about a fact that is not sent, or contradict the value assumed for it. */
const STANDING_FOR: Partial<Record<Fact, readonly Fact[]>> = {
  tareKg: ['kerbMassKg', 'gvmKg'],
  kerbMassKg: ['tareKg', 'gvmKg'],
  gvmKg: ['tareKg', 'kerbMassKg'],
  previouslyRegistered: ['firstRegisteredDate', 'registrationType'],
  firstRegisteredDate: ['manufactureDate', 'year', 'previouslyRegistered'],
  seats: ['bodyType'],
  fuelType: ['cylinders', 'rotors', 'engineCapacityCc', 'co2GPerKm', 'fuelConsumptionLPer100km'],
}

const withStanding = (fact: Fact): Fact[] => [fact, ...(STANDING_FOR[fact] ?? [])]

function ofClass(name: string, set: ReadingSet, classes: readonly string[]): FactRead[] {
  const found = set.spec.classes?.find((one) => one.name === name)
  return (found?.anyOf ?? []).flatMap((each) => ofCondition(each, set, [...classes, name]))
}

function ofCharge(charge: Charge | undefined, set: ReadingSet): FactRead[] {
  if (charge === undefined) return []
  const { table, units, less } = charge
  return [
    ...(units ? [plain(units.of)] : []),
    ...(table?.fact ? withStanding(table.fact).map(plain) : []),
    ...(table?.zone ? [{ ...plain('postcode'), zone: table.zone }] : []),
    ...[...(table?.columns ?? []), ...(table?.rows ?? []).map((row) => row.class)].flatMap((name) =>
      name === undefined ? [] : ofClass(name, set, []),
    ),
    ...(less ?? []).flatMap((term) => ofTerm(term, set)),
  ]
}

function ofBasis(name: string, set: ReadingSet): FactRead[] {
  const { spec, own } = holderOfBasis(name, set)
  const cases = spec.bases?.find((one) => one.name === name)?.cases ?? []
  return cases.flatMap(({ when, sum = [], greatest = [], firstPresent = [], minus = [] }) => [
    ...ofCondition(when, own),
    ...[...sum, ...greatest, ...firstPresent, ...minus].flatMap((term) => ofTerm(term, own)),
  ])
}

function holderOfBasis(name: string, { spec, imports }: ReadingSet): { spec: RateSetSpec; own: ReadingSet } {
  const holder = [spec, ...imports].find((one) => one.bases?.some((basis) => basis.name === name)) ?? spec
  return { spec: holder, own: { spec: holder, imports } }
}

const isMoney = (term: string): term is Fact => (MONEY_FACTS as readonly string[]).includes(term)

/**
 * The facts behind a term of a sum. A term that is the line of another component depends on the facts of that line: see
 * `needs` of the compiled rule.
 */
function ofTerm(term: string, set: ReadingSet): FactRead[] {
  if (term.startsWith('basis:')) return ofBasis(term.slice('basis:'.length), set)
  return isMoney(term) ? [plain(term)] : []
}

/**
 * The facts that decide whether a concession applies to the rule's component or basis. A set that imports the rule may
 * reduce its line too.
 */
function ofConcessions({ component, basis }: Rule, set: ReadingSet): FactRead[] {
  return withImporting(set).flatMap((own) => {
    const isOwn = own.spec === set.spec
    const concerned = (own.spec.concessions ?? [])
      .flatMap((one) => one.adjustments)
      .filter((one) => one.component === component || (isOwn && one.basis !== undefined && one.basis === basis))
    return concerned.flatMap(({ when }) => ofCondition(when, own))
  })
}

const withImporting = ({ spec, imports }: ReadingSet): ReadingSet[] =>
  [spec, ...imports].map((one) => ({ spec: one, imports: [spec, ...imports].filter((other) => other !== one) }))
