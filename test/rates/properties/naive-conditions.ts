import type { Condition } from '#rates/engine/grammar/condition.ts'
import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, NUMBER_FACTS } from '#rates/engine/grammar/facts.ts'
import type { Graded } from '#rates/engine/grade.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { provenDate, provenRegister, provenWeight } from './naive-proofs.ts'
import { greater, NIL, plus, rational, times, type Rational } from './rational.ts'

export type Value = string | boolean | Rational

/** Something that is not known and that an outcome depends on; `classes` are those through which it was asked for. */
export interface Cause {
  fact?: string
  zone?: string
  /** A line that the basis needs has no price. */
  unpriced?: boolean
  classes: string[]
}

/** Thrown where an outcome depends on what is not known. */
export class Needed extends Error {
  readonly causes: Cause[]
  constructor(causes: Cause[]) {
    super(`needed: ${JSON.stringify(causes)}`)
    this.causes = causes
  }
}

/** Thrown where the law gives no figure. */
export class Unpriced extends Error {}

export interface Answer {
  truth: boolean | undefined
  causes: Cause[]
}

/** What one rule goes by: its set, the facts, what has been assumed so far, and the rule's basis. */
export interface World {
  spec: RateSetSpec
  imports: RateSetSpec[]
  /** The day whose rates apply. */
  date: string
  /** The day asked for: vehicles have their age on it. */
  asked: string
  facts: Map<string, Value>
  /** The facts of the request itself: an assumed one is known and not present. */
  sent: ReadonlySet<string>
  classes: Map<string, boolean>
  zones: Map<string, string>
  basis: () => Rational
  /** Grades of what the line rests on so far: parameters, adjustments, a term. */
  grades: Graded[]
  /** The grade that the table's row gives, where it gives one. */
  rowGrade: Graded | undefined
  /** The grade of the term, once it is applied. */
  termGrade?: Graded
  /** A concession has set the amount. */
  isSet: boolean
}

const sure = (truth: boolean): Answer => ({ truth, causes: [] })
const unsure = (causes: Cause[]): Answer => ({ truth: undefined, causes })

export function every(answers: Answer[]): Answer {
  if (answers.some(({ truth }) => truth === false)) return sure(false)
  const open = answers.filter(({ truth }) => truth === undefined)
  return open.length === 0 ? sure(true) : unsure(open.flatMap(({ causes }) => causes))
}

const opposite = ({ truth, causes }: Answer): Answer => ({ truth: truth === undefined ? undefined : !truth, causes })
const some = (answers: Answer[]): Answer => opposite(every(answers.map(opposite)))

/** Whether a condition holds; open where it depends on what is not known. */
export function holds(condition: Condition, world: World, classes: string[] = []): Answer {
  const { age, basis, zone, requestedDate } = condition
  const answers = [
    ...factAnswers(condition, world, classes),
    ...(condition.present ?? []).map((fact) => sure(world.sent.has(fact))),
    ...(condition.class ?? []).map((name) => isOf(name, world, classes)),
    ...(condition.not ?? []).map((name) => opposite(isOf(name, world, classes))),
    ...(condition.derived ?? []).map(({ name, ...bounds }) => onDerived(name, bounds, world, classes)),
  ]
  if (zone) answers.push(inZone(zone, world, classes))
  if (age) answers.push(ofAge(age, world, classes))
  if (requestedDate) answers.push(sure(between(world.asked, requestedDate)))
  if (basis) answers.push(onBasis(basis, world))
  return every(answers)
}

/** Whether the vehicle has an age. Without its date, a registration or a model year long ago proves that it is older. */
function ofAge(age: NonNullable<Condition['age']>, world: World, classes: string[]): Answer {
  if (age.from !== 'manufactureDate' || world.facts.has('manufactureDate')) {
    return onFact(age.from, world, classes)((value) => ageFits(value as string, age, world.asked))
  }
  const year = world.facts.get('year') as Rational | undefined
  const made = [world.facts.get('firstRegisteredDate') as string | undefined, year && `${year.n / year.d + 1n}-12-31`]
  const proves = (years: number) => made.some((day) => day !== undefined && world.asked > birthday(day, years))
  if (age.atMostYears !== undefined && proves(age.atMostYears)) return sure(false)
  if (age.moreThanYears !== undefined && age.atMostYears === undefined && proves(age.moreThanYears)) return sure(true)
  return unsure([{ fact: 'manufactureDate', classes }])
}

function onBasis({ upTo, above }: NonNullable<Condition['basis']>, world: World): Answer {
  try {
    const value = world.basis()
    const low = upTo === undefined || !greater(value, amount(upTo, world))
    return sure(low && (above === undefined || greater(value, amount(above, world))))
  } catch (error) {
    if (error instanceof Needed) return unsure(error.causes)
    if (error instanceof Unpriced) return unsure([{ unpriced: true, classes: [] }])
    throw error
  }
}

const onFact =
  (fact: string, world: World, classes: string[]) =>
  (test: (value: Value) => boolean): Answer => {
    const value = world.facts.get(fact)
    return value === undefined ? unsure([{ fact, classes }]) : sure(test(value))
  }

function factAnswers(condition: Condition, world: World, classes: string[]): Answer[] {
  return Object.entries(condition).flatMap(([key, test]) => {
    const ask = onFact(key, world, classes)
    if (key in ENUM_FACTS) return [ask((value) => (test as string[]).includes(value as string))]
    if (!world.facts.has(key)) {
      const certain =
        provenWeight(key, test as Bounds, world) ??
        provenRegister(key, test as boolean, world) ??
        provenDate(key, (test as Dates).to, world)
      if (certain !== undefined) return [sure(certain)]
    }
    if (includes(NUMBER_FACTS, key)) return [ask((value) => inside(value as Rational, test as Bounds))]
    if (includes(BOOLEAN_FACTS, key)) return [ask((value) => value === test)]
    return includes(DATE_FACTS, key) ? [ask((value) => between(value as string, test as Dates))] : []
  })
}

/** Whether the vehicle is of a class, by assumption or because one of its conditions holds. */
export function isOf(name: string, world: World, classes: string[]): Answer {
  const assumed = world.classes.get(name)
  if (assumed !== undefined) return sure(assumed)
  const { anyOf } = world.spec.classes!.find((one) => one.name === name)!
  return some(anyOf.map((test) => holds(test, world, [...classes, name])))
}

/** The zone of a list that the postcode lies in, if it is known. */
export function zoneOf(list: string, world: World): string | undefined {
  const assumed = world.zones.get(list)
  if (assumed !== undefined) return assumed
  const postcode = Number(world.facts.get('postcode') ?? -1)
  const { values } = world.spec.zones!.find(({ name }) => name === list)!
  const matches = (range: string) => {
    const [low, high = low] = range.split('-').map(Number)
    return low! <= postcode && postcode <= high!
  }
  return values.find(({ postcodes }) => postcodes.some(matches))?.zone
}

/** Dollars of an amount on the day of the quote. */
export function amount(text: string, world: World): Rational {
  const [first = '', second] = text.split(' ')
  if (second !== undefined) return times(rational(first), amount(second, world))
  if (!/^[A-Z]/.test(first)) return rational(first)
  const [code, name] = first.includes('/') ? first.split('/') : [world.spec.pricingCode, first]
  const home = [world.spec, ...world.imports].find(({ pricingCode }) => pricingCode === code)!
  const values = home.parameters!.find((one) => one.name === name)!.values
  const { value, ...graded } = values.filter(({ startDate = '' }) => startDate <= world.date).at(-1)!
  world.grades.push(graded)
  return rational(value)
}

export interface Bounds {
  above?: string
  min?: string
  max?: string
  below?: string
}
interface Dates {
  from?: string
  to?: string
}

const includes = (list: readonly string[], word: string) => list.includes(word)

const inside = (value: Rational, { above, min, max, below }: Bounds) =>
  (above === undefined || greater(value, rational(above))) &&
  (min === undefined || !greater(rational(min), value)) &&
  (max === undefined || !greater(value, rational(max))) &&
  (below === undefined || greater(rational(below), value))

const between = (value: string, { from = '0000', to = '9999' }: Dates) => from <= value && value <= to

function inZone({ name, in: wanted }: { name: string; in: string[] }, world: World, classes: string[]): Answer {
  const zone = zoneOf(name, world)
  return zone === undefined ? unsure([{ zone: name, classes }]) : sure(wanted.includes(zone))
}

function onDerived(name: string, bounds: Bounds, world: World, classes: string[]): Answer {
  const { sum } = world.spec.derivedFacts!.find((one) => one.name === name)!
  const unknown = sum.filter(({ fact }) => !world.facts.has(fact))
  if (unknown.length > 0) return unsure(unknown.map(({ fact }) => ({ fact, classes })))
  const parts = sum.map(({ fact, times: factor = '1' }) => times(world.facts.get(fact) as Rational, rational(factor)))
  return sure(inside(parts.reduce(plus, NIL), bounds))
}

function ageFits(from: string, age: { moreThanYears?: number; atMostYears?: number }, date: string): boolean {
  const older = (years: number) => date > birthday(from, years)
  if (age.moreThanYears !== undefined && !older(age.moreThanYears)) return false
  return age.atMostYears === undefined || !older(age.atMostYears)
}

/** The same day some years later; 29 February is 28 February where there is none. */
function birthday(from: string, years: number): string {
  const year = Number(from.slice(0, 4)) + years
  const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  return `${year}-${from.slice(5) === '02-29' && !leap ? '02-28' : from.slice(5)}`
}
