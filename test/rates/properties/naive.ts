import type { BasisCase, Concession, RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Adjustment, Case, Rule } from '#rates/engine/grammar/rule.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { charged } from './naive-charges.ts'
import { amount, holds, Needed, Unpriced, type World } from './naive-conditions.ts'
import { stated, SURE, weakest } from './naive-grades.ts'
import { shareOf, termOf } from './naive-terms.ts'
import { refuseImpossible } from './naive-vehicles.ts'
import { dollars, isMoney, known, Rejected, suppose, total } from './naive-facts.ts'
import {
  cents,
  largest,
  minus,
  NIL,
  notBelowNil,
  over,
  plus,
  rational,
  roundedTo,
  times,
  type Rational,
} from './rational.ts'

export interface NaiveLine {
  cents: number
  /** Cents of GST, by the share that the rule states. */
  tax: number
  /** The weakest grade of what the line rests on. */
  grade: string
  /** Whether an estimate among that is no upper bound. */
  mayRise: boolean
}

export interface NaiveQuote {
  /** By component; a component that gives no line is absent. */
  lines: Record<string, NaiveLine>
  unpriced: string[]
  driveAway: number
  /** Cents of GST: one eleventh of what is sold (GST Act s 9-75), and that of the charges. */
  tax: number
}

type Line = NaiveLine | 'none' | 'unpriced'

/** One eleventh of some cents; halves are rounded away from zero. */
const eleventh = (value: number) => Math.sign(value) * Math.floor((Math.abs(value) * 2 + 11) / 22)

/** What a line is for: a negative line without a kind is a discount, any other one a part of the vehicle's price. */
const purpose = ({ kind, value }: { kind?: string; value: number }) => kind ?? (value < 0 ? 'discount' : 'vehicle')

/** Prices a request by walking the sets as they are written: no compilation, one rule after the other. */
export function naiveQuote(request: QuoteRequest, sets: RateSetSpec[]): NaiveQuote {
  refuseBelowNothing(request)
  refuseImpossible(request)
  const date = ratesDay(request, sets)
  const year = sets.filter(
    ({ financialYear }) => date >= `${financialYear.slice(0, 4)}-07-01` && date <= `${financialYear.slice(5)}-06-30`,
  )
  const own = year.find(({ pricingCode }) => pricingCode === request.pricingCode)!
  const imports = (own.imports ?? []).map((code) => year.find(({ pricingCode }) => pricingCode === code)!)
  refuseUnoffered(request, own, date)
  const pricing = new Pricing(request, own, imports, date)
  const components = [own, ...imports].flatMap(({ rules }) => rules).filter(({ category }) => category === 'onRoad')
  const result: NaiveQuote = { lines: {}, unpriced: [], driveAway: 0, tax: 0 }
  for (const component of new Set(components.map((rule) => rule.component))) {
    const line = pricing.line(component)
    if (line === 'unpriced') result.unpriced.push(component)
    else if (line !== 'none') result.lines[component] = line
  }
  const sent = [...request.pricingInputs.dutiable, ...(request.pricingInputs.additional ?? [])]
  const taxable = request.pricingInputs.gst !== 'none'
  if (taxable) result.tax = sent.reduce((sum, { value }) => sum + eleventh(value), 0)
  const charges = Object.values(result.lines)
  result.tax += charges.reduce((sum, { tax }) => sum + tax, 0)
  result.driveAway = [...sent.map(({ value }) => value), ...charges.map((one) => one.cents)].reduce((a, b) => a + b, 0)
  return result
}

/** Nobody is paid to drive away: what is sold comes to at least nothing. */
function refuseBelowNothing({ pricingInputs: { dutiable, additional = [] } }: QuoteRequest): void {
  if (total([...dutiable, ...additional]) < 0) throw new Rejected('bad_request')
}

/** A transfer is made only where and while a set offers it. */
function refuseUnoffered(
  { registration: { type = 'new' } }: QuoteRequest,
  { offers }: RateSetSpec,
  date: string,
): void {
  const offered = offers!.registrationTypes.some(
    (one) => one.type === type && (one.startDate ?? '0000') <= date && date <= (one.endDate ?? '9999'),
  )
  if (!offered) throw new Rejected('UNSUPPORTED_REGISTRATION_TYPE')
}

/** The day asked for, or the last day that rates are published for, where it is after that. */
function ratesDay({ pricingCode, registration }: QuoteRequest, sets: RateSetSpec[]): string {
  const years = sets.filter((one) => one.pricingCode === pricingCode).map(({ financialYear }) => financialYear)
  const last = `${years.toSorted().at(-1)!.slice(5)}-06-30`
  return registration.startDate > last ? last : registration.startDate
}

class Pricing {
  readonly #request: QuoteRequest
  /** The day whose rates apply. */
  readonly #date: string
  readonly #sets: RateSetSpec[]
  readonly #done = new Map<string, Line>()
  #concession: Concession | undefined

  constructor(request: QuoteRequest, own: RateSetSpec, imports: RateSetSpec[], date: string) {
    this.#request = request
    this.#date = date
    this.#sets = [own, ...imports]
    const { hasConcession, type } = request.customer?.concession ?? {}
    this.#concession = hasConcession ? own.concessions?.find((one) => one.type === type && this.#valid(one)) : undefined
    // Earlier rates stand in for those of the day asked for; a concession that has ended by then does not.
    const ended = this.#concession?.endDate
    if (ended !== undefined && ended < request.registration.startDate) this.#concession = undefined
  }

  #valid({ startDate = '0000', endDate = '9999' }: { startDate?: string | undefined; endDate?: string | undefined }) {
    return startDate <= this.#date && this.#date <= endDate
  }

  line(component: string): Line {
    if (!this.#done.has(component)) this.#done.set(component, this.#compute(component))
    return this.#done.get(component)!
  }

  #compute(component: string): Line {
    const spec = this.#sets.find(({ rules }) => rules.some((rule) => rule.component === component))!
    const today = spec.rules.filter((rule) => rule.component === component && this.#valid(rule))
    for (const rule of today.toSorted((a, b) => (b.priority ?? 100) - (a.priority ?? 100))) {
      const line = this.#supposing(rule, spec)
      if (line !== undefined) return line
    }
    return 'none'
  }

  /** The line of a rule, with as many assumptions as it takes; undefined where the rule does not apply. */
  #supposing(rule: Rule, spec: RateSetSpec): Line | undefined {
    const world: World = {
      spec,
      imports: this.#sets.slice(1),
      date: this.#date,
      asked: this.#request.registration.startDate,
      ...known(this.#request),
      classes: new Map(),
      zones: new Map(),
      basis: () => this.#basis(rule.basis!, world),
      grades: [],
      rowGrade: undefined,
      isSet: false,
    }
    for (;;) {
      try {
        return this.#attempt(rule, world)
      } catch (error) {
        if (error instanceof Unpriced) return 'unpriced'
        if (!(error instanceof Needed)) throw error
        const entries = [...(rule.missing ?? []), ...(spec.missing ?? [])]
        if (suppose(error.causes, entries, world, this.#request) === 'unpriced') return 'unpriced'
      }
    }
  }

  #attempt(rule: Rule, world: World): Line | undefined {
    if (rule.when && !decide(rule.when, world)) return undefined
    const one = rule.cases.find(({ when }) => !when || decide(when, world))!
    if (one.reject !== undefined) throw new Rejected(one.reject)
    if (one.unpriced !== undefined) return 'unpriced'
    if (one.exempt?.line === 'omit') return 'none'
    // What the choice of the case rests on is no part of the figure.
    world.grades.length = 0
    world.rowGrade = undefined
    world.isSet = false
    const value = cents(one.exempt ? NIL : this.#conceded(rule, this.#withTerm(rule, one, world), world))
    const own = world.isSet ? SURE : (world.rowGrade ?? stated(one) ?? rule.verification)
    const tax = rule.gst === 'none' ? 0 : cents(times(dollars(value), rational(rule.gst)))
    return { cents: value, tax, ...weakest([own, ...world.grades]) }
  }

  #withTerm(rule: Rule, one: Case, world: World): Rational {
    const value = charged(one.charge!, world, (text) => this.#term(text, world))
    const factor = termOf(rule, world)
    if (!factor) return value
    world.termGrade = stated(factor) ?? SURE
    world.grades.push(world.termGrade)
    const scaled = plus(
      times(value, shareOf(factor, world.date)),
      factor.plus === undefined ? NIL : amount(factor.plus, world),
    )
    return factor.round ? roundedTo(scaled, rational(factor.round.to), factor.round.mode ?? 'halfUp') : scaled
  }

  #conceded(rule: Rule, line: Rational, world: World): Rational {
    const term = termOf(rule, world)
    const factor = term ? shareOf(term, world.date) : rational(1)
    const own = (this.#concession?.adjustments ?? []).filter(({ component }) => component === rule.component)
    return own.reduce((value, adjustment) => this.#adjusted(value, adjustment, world, factor), line)
  }

  #adjusted(value: Rational, adjustment: Adjustment, world: World, factor: Rational): Rational {
    const { when, percentOff, amountOff, set, perTerm, round } = adjustment
    // A concession names classes of its own set, also where the line is one of an import.
    const home = { ...world, spec: this.#sets[0]! }
    if (!this.#valid(adjustment) || (when && !decide(when, home))) return value
    if (set !== undefined && adjustment.component !== undefined) this.#forgetFigure(world, perTerm === true)
    world.grades.push(stated(adjustment) ?? this.#concession!)
    const share = (text: string) => (perTerm ? times(amount(text, world), factor) : amount(text, world))
    let result = value
    if (percentOff !== undefined) result = times(value, minus(rational(1), over(rational(percentOff), rational(100))))
    if (amountOff !== undefined) result = notBelowNil(minus(value, share(amountOff)))
    if (set !== undefined) result = share(set)
    return round ? roundedTo(result, rational(round.to), round.mode ?? 'halfUp') : result
  }

  /** What a concession sets does not come from the figure; of a term only what the concession itself is multiplied with. */
  #forgetFigure(world: World, keepsTerm: boolean): void {
    world.isSet = true
    world.grades = keepsTerm && world.termGrade ? [world.termGrade] : []
  }

  #basis(name: string, world: World): Rational {
    const { cases } = world.spec.bases!.find((one) => one.name === name)!
    const inner = { ...world, basis: () => NIL }
    const value = this.#basisCase(
      cases.find(({ when }) => !when || decide(when, inner))!,
      world,
    )
    const own =
      world.spec === this.#sets[0] ? (this.#concession?.adjustments ?? []).filter(({ basis }) => basis === name) : []
    return notBelowNil(
      own.reduce((sum, adjustment) => this.#adjusted(sum, adjustment, inner, rational(1)), notBelowNil(value)),
    )
  }

  #basisCase({ sum, greatest, firstPresent, minus: less = [] }: BasisCase, world: World): Rational {
    const present = (terms: string[]) => terms.filter((text) => !isMoney(text) || world.facts.has(text))
    const values = (terms: string[]) =>
      terms.map((text) => (text.startsWith('alone:') ? this.#alone(text.slice(6), less) : this.#term(text, world)))
    const value = sum
      ? values(sum).reduce(plus, NIL)
      : greatest
        ? largest(values(present(greatest)))
        : this.#term(present(firstPresent!)[0] ?? firstPresent!.at(-1)!, world)
    return values(less).reduce(minus, value)
  }

  /** What another component comes to in a sale of the same vehicle without what the basis takes off. */
  #alone(component: string, less: string[]): Rational {
    const { pricingInputs } = this.#request
    const dutiable = pricingInputs.dutiable.filter((line) => !less.includes(`kind:${purpose(line)}`))
    const request = { ...this.#request, pricingInputs: { ...pricingInputs, dutiable } }
    const sold = new Pricing(request, this.#sets[0]!, this.#sets.slice(1), this.#date)
    const line = sold.line(component)
    if (line === 'unpriced') throw new Unpriced()
    return line === 'none' ? NIL : dollars(line.cents)
  }

  #term(text: string, world: World): Rational {
    if (isMoney(text)) {
      const value = world.facts.get(text)
      if (value === undefined) throw new Needed([{ fact: text, classes: [] }])
      return value as Rational
    }
    const [prefix, name = ''] = text.split(':')
    if (prefix === 'basis') return this.#basis(name, world)
    if (prefix === 'kind')
      return dollars(total(this.#request.pricingInputs.dutiable.filter((line) => purpose(line) === name)))
    if (prefix !== 'line') return amount(text, world)
    const line = this.line(name)
    if (line === 'unpriced') throw new Unpriced()
    return line === 'none' ? NIL : dollars(line.cents)
  }
}

function decide(condition: NonNullable<Rule['when']>, world: World): boolean {
  const { truth, causes } = holds(condition, world)
  if (truth === undefined) throw new Needed(causes)
  return truth
}
