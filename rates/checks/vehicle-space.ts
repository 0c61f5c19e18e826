import { compare, exactOf, parseExact, type Exact } from '../engine/exact.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, NUMBER_FACTS } from '../engine/grammar/facts.ts'
import { resolveAmount } from './amounts.ts'
import { zoneNames } from './parts.ts'
import type { Subject } from './subject.ts'

/** True, false, or undecided with what is known so far. */
export type Truth = boolean | undefined

/** One test of one variable: a fact, an age, a derived fact, a zone, the basis or a presence. */
export interface Atom {
  variable: string
  /** Values worth trying: one on each side of every edge. */
  values: unknown[]
  holds: (value: unknown) => Truth
}

const ABSENT = Symbol('absent')
// A value for a fact that was sent, which no test of the rule asks for.
const PRESENT = Symbol('present')
const WHOLE_NUMBERS = ['cylinders', 'rotors', 'seats', 'year', 'termMonths']

interface Bounds {
  above?: string | undefined
  min?: string | undefined
  max?: string | undefined
  below?: string | undefined
}

/** The tests of a condition, except those on classes. */
export function atomsOf(condition: Condition, subject: Subject, day: string): Atom[] {
  const { age, zone, derived = [], present = [], basis, requestedDate } = condition
  return [
    ...Object.entries(condition).flatMap(([key, test]) => factAtom(key, test, subject)),
    ...derived.map(({ name, ...bounds }) => numberAtom(`derived ${name}`, bounds)),
    ...(age
      ? [numberAtom(`age ${age.from}`, { above: age.moreThanYears?.toString(), max: age.atMostYears?.toString() })]
      : []),
    ...(requestedDate ? [dateAtom('requestedDate', requestedDate)] : []),
    ...(zone ? [listAtom(`zone ${zone.name}`, zoneNames(subject.spec, zone.name), zone.in)] : []),
    ...present.map((fact): Atom => ({ variable: fact, values: [PRESENT, ABSENT], holds: (value) => value !== ABSENT })),
    ...(basis ? basisAtoms(basis, subject, day) : []),
  ]
}

function factAtom(key: string, test: unknown, { spec }: Subject): Atom[] {
  if (key in ENUM_FACTS) return [listAtom(key, ENUM_FACTS[key as keyof typeof ENUM_FACTS], test as string[])]
  if (key === 'termMonths' && spec.offers)
    return [{ ...numberAtom(key, test as Bounds), values: spec.offers.terms.map(exactOf) }]
  if ((NUMBER_FACTS as readonly string[]).includes(key)) return [numberAtom(key, test as Bounds)]
  if ((DATE_FACTS as readonly string[]).includes(key)) return [dateAtom(key, test as { from?: string; to?: string })]
  if (!(BOOLEAN_FACTS as readonly string[]).includes(key)) return []
  return [{ variable: key, values: [true, false], holds: known((value) => value === test) }]
}

const known =
  (holds: (value: never) => boolean) =>
  (value: unknown): Truth =>
    value === ABSENT || value === PRESENT ? undefined : holds(value as never)

const listAtom = (variable: string, all: readonly string[], selected: readonly string[]): Atom => ({
  variable,
  values: [...all],
  holds: known((value: string) => selected.includes(value)),
})

const dateAtom = (variable: string, { from = '', to = '9999' }: { from?: string; to?: string }): Atom => ({
  variable,
  values: [from, to]
    .filter((edge) => edge.length === 10)
    .flatMap((edge) => [`${edge.slice(0, 8)}00`, edge, `${edge}+`]),
  holds: known((value: string) => value >= from && value <= to),
})

function numberAtom(variable: string, bounds: Bounds): Atom {
  const edges = [bounds.above, bounds.min, bounds.max, bounds.below].filter((edge) => edge !== undefined)
  const step = WHOLE_NUMBERS.includes(variable) ? 1 : 0.001
  const values = edges.flatMap((edge) =>
    [Number(edge) - step, Number(edge), Number(edge) + step].map((n) => exactOf(+n.toFixed(3))),
  )
  const least = variable.startsWith('derived') ? -Infinity : 0
  return {
    variable,
    values: values.filter((value) => value.n >= least),
    holds: known(within(bounds)),
  }
}

function within(bounds: Bounds): (value: Exact) => boolean {
  // Parsed once: a search compares with the edges thousands of times.
  const edge = (text: string | undefined) => (text === undefined ? undefined : parseExact(text))
  const [above, min, max, below] = [edge(bounds.above), edge(bounds.min), edge(bounds.max), edge(bounds.below)]
  return (value) =>
    (!above || compare(value, above) > 0) &&
    (!min || compare(value, min) >= 0) &&
    (!max || compare(value, max) <= 0) &&
    (!below || compare(value, below) < 0)
}

function basisAtoms({ upTo, above }: NonNullable<Condition['basis']>, subject: Subject, day: string): Atom[] {
  return [
    ...(upTo === undefined ? [] : [{ edge: upTo, sign: -1 }]),
    ...(above === undefined ? [] : [{ edge: above, sign: 1 }]),
  ].flatMap(({ edge, sign }) => {
    const limit = resolveAmount(edge, day, subject)
    if (!limit) return []
    const values = [-0.01, 0, 0.01].map((step) => exactOf(+(limit.n / limit.d + step).toFixed(2)))
    const holds = (value: Exact) => (sign < 0 ? compare(value, limit) <= 0 : compare(value, limit) > 0)
    return [{ variable: 'basis', values: values.filter((value) => value.n >= 0), holds: known(holds) }]
  })
}
