import { compare, formatExact, parseExact, whole, type Exact } from '../engine/exact.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import type { Case } from '../engine/grammar/rule.ts'
import type { Resolver } from './amounts.ts'
import { bandAt, chargeOn } from './charge-on.ts'
import { conditionWords } from './condition-words.ts'
import { isApart, isWithin, testsOf } from './conditions-within.ts'
import { excessWords, interpolateWords, wholeWords } from './rate-words.ts'
import type { Threshold } from './said.ts'

/** A case of a rule among its cases, and the basis that its amounts are of. */
interface CaseAround {
  cases: readonly Case[]
  at: number
  basis: string
  resolver: Resolver
}

/** The end of a case that applies up to an amount, and the charge beyond; empty when the cases do not determine that. */
export function thresholdOf({ cases, at, basis, resolver }: CaseAround): { threshold?: Threshold } {
  const own = cases[at]!
  const text = own.when?.basis?.above === undefined ? own.when?.basis?.upTo : undefined
  const edge = text === undefined ? undefined : resolver.cents(text)
  if (edge === undefined) return {}
  const vehicles = vehiclesOf(own.when)
  const after = cases.slice(at + 1)
  const position = after.findIndex(({ when }) => when?.basis === undefined && isWithin(vehicles, vehiclesOf(when)))
  const beyond = after[position]
  const words = beyond && rateAt(onePast(edge), beyond, resolver)
  const below = rateAt(parseExact(edge), own, resolver)
  if (words === undefined || below === undefined) return {}
  const others = after.slice(0, position).filter(({ when }) => !isApart(vehicles, vehiclesOf(when)))
  return {
    threshold: {
      ...{ of: resolver.words.name(basis), edge, below, above: words, ...endAt(onePast(edge), beyond!, resolver) },
      unless: others.map(({ when }) => conditionWords(besides(when!, own.when!), resolver)),
      lineOn: (amount) => lineOn(amount, compare(amount, parseExact(edge)) > 0 ? beyond! : own, resolver),
    },
  }
}

/** The end of a band of a charge, whose charge on an amount is known. */
export const bandEnd = (edge: string | undefined, lineAt: (amount: Exact) => Exact | undefined) =>
  edge === undefined ? {} : { end: { edge, lineOn: (amount: Exact) => centsText(lineAt(amount)) } }

const onePast = (edge: string): Exact => parseExact(String(Math.floor(Number(edge)) + 1))

/** The tests of a condition besides those of an amount. */
function vehiclesOf(when: Condition | undefined) {
  const tests = withoutAmount(when ?? {})
  return testsOf(Object.keys(tests).length === 0 ? undefined : tests)
}

const withoutAmount = ({ basis: _, ...tests }: Condition): Condition => tests

/** What a condition tests besides the classes of another one. */
function besides(condition: Condition, other: Condition): Condition {
  const { class: classes, ...tests } = withoutAmount(condition)
  const left = classes?.filter((name) => !other.class?.includes(name)) ?? []
  return { ...tests, ...(left.length > 0 && { class: left }) }
}

function lineOn(amount: Exact, { charge, exempt }: Case, resolver: Resolver): string | undefined {
  if (exempt) return '0'
  return centsText(charge && chargeOn(amount, charge, resolver))
}

const centsText = (cents: Exact | undefined): string | undefined => cents && formatExact(cents)

/** The charge of a case on an amount, in words. */
function rateAt(amount: Exact, { charge, exempt, ...outcome }: Case, resolver: Resolver): string | undefined {
  const { words, amount: money } = resolver
  if (!charge) return words.outcome({ exempt, unpriced: outcome.unpriced, reject: outcome.reject })?.brief
  const form = charge.bands ? bandAt(amount, charge.bands, resolver)?.band : charge
  if (!form) return undefined
  if (form.flat !== undefined) return money(form.flat)
  if (form.whole) return `${wholeWords(form.whole, money)} of the whole value`
  if (form.interpolate) return interpolateWords(form.interpolate, money)
  return 'excess' in form && form.excess ? excessWords(form.excess, money) : undefined
}

/** The amount, in words, up to which a case charges as it does on an amount; empty without one. */
function endAt(amount: Exact, { charge }: Case, resolver: Resolver): Pick<Threshold, 'aboveTo'> {
  const upTo = charge?.bands && bandAt(amount, charge.bands, resolver)?.band.upTo
  return upTo === undefined ? {} : { aboveTo: resolver.amount(upTo) }
}

/** Steps, in cents, to which the amount of an example is rounded. */
const STEPS = [10_000, 1_000, 100, 1]
const FAR = 2_500_000

/** The end of a case or of a band, and its line on an amount. */
type End = Pick<Threshold, 'edge' | 'lineOn'>

/** An amount whose line differs between two ends, with both lines in cents: the one on which they differ more. */
export function exampleBetween(old: End, now: End): { of: number; from: number; to: number } | undefined {
  const edges = [old.edge, now.edge].map(Number).sort((a, b) => a - b) as [number, number]
  const found = [between(edges), Math.ceil((edges[1] + 1) / FAR) * FAR].flatMap((of) => {
    const [from, to] = [old, now].map(({ lineOn: line }) => line(whole(of)))
    return from === undefined || to === undefined || from === to ? [] : [{ of, from: Number(from), to: Number(to) }]
  })
  return found.sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))[0]
}

/** A round amount above one end and within the other. */
function between([low, high]: [number, number]): number {
  const middle = (low + high) / 2
  const round = STEPS.map((step) => Math.round(middle / step) * step)
  return round.find((one) => one > low && one <= high) ?? high
}
