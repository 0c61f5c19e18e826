import { PricingFault } from '../answer.ts'
import { candidatesBeside } from '../compile/candidates.ts'
import { FACT_PATH, pathsOf } from './fact-paths.ts'
import type { Fact } from '../grammar/facts.ts'
import type { Entry } from '../compile/missing.ts'
import { apart, emptyOverlay, leavesRoom } from './assume.ts'
import { isPossible, MASSES } from '../compile/possible.ts'
import type { CompiledRule } from '../compile/rule.ts'
import type { NamedTest } from '../compile/scope.ts'
import {
  FACT_INDEX,
  FALSE,
  isUnknown,
  record,
  warn,
  type FactQuestion,
  type FallbackQuestion,
  type Named,
  type Overlay,
  type State,
  type Truth,
} from '../state.ts'
import { FactNeeded } from './settle.ts'
import { witnessOf, written } from './witness.ts'

/** One number for what a component comes to: the same for the same line, whatever is said of it. */
export type Reading = (state: State) => number

/**
 * Says of each question of a component what was taken for the answer, where some answer gives another reading than
 * `reading`; a fact that cannot matter is never warned of. Leaves no question.
 */
export function report(component: string, reading: number, state: State, read: Reading): void {
  const { questions } = state
  state.questions = null
  if (questions === null || state.silent) return
  const trial = createTrial(state, read)
  for (const question of questions) {
    if ('fallback' in question)
      sayFallback(question, component, state, () => fallsElse(question.fallback, reading, trial))
    else sayTaken(question as FactQuestionOfRule, component, state, { reading, trial })
  }
}

/** The same request, with nothing assumed and nobody to read what is said. */
interface Trial {
  readonly state: State
  /** What the component comes to with some answers; null where the vehicle is then refused. */
  readonly with: (answer: (state: State) => void) => number | null
}

function createTrial(state: State, read: Reading): Trial {
  const trial: State = { ...apart(state), silent: true, messages: { warnings: [], assumptions: [], unpriced: [] } }
  const facts = trial.facts.slice()
  return {
    state: trial,
    with: (answer) => {
      trial.bases.fill(undefined)
      answer(trial)
      try {
        return read(trial)
      } catch (thrown) {
        // Where another fact is needed then, this one decides more than nothing; an amount beyond reckoning is another amount.
        if (thrown instanceof FactNeeded || thrown instanceof RangeError) return NaN
        if (thrown instanceof PricingFault) return null
        throw thrown
      } finally {
        trial.overlay = null
        for (let slot = 0; slot < facts.length; slot++) trial.facts[slot] = facts[slot]!
      }
    },
  }
}

/** Money that stands for any other: none, and the most that a request may send. */
const ANY_MONEY = [0, 1e10]

const fallsElse = (fact: Fact, reading: number, trial: Trial): boolean =>
  ANY_MONEY.some((cents) => {
    const other = trial.with(({ facts }) => {
      facts[FACT_INDEX[fact]] = cents
    })
    return other !== null && other !== reading
  })

function sayFallback(
  { fallback, reason }: FallbackQuestion,
  component: string,
  state: State,
  matters: () => boolean,
): void {
  if (!matters()) return
  warn(state, reason)
  record(state, { kind: 'assumed', path: FACT_PATH[fallback], component, assumed: null, reason })
}

interface FactQuestionOfRule extends FactQuestion {
  readonly rule: CompiledRule
  readonly entry: Entry | null
}

interface Compared {
  readonly reading: number
  readonly trial: Trial
}

function sayTaken(
  { rule, unknown, entry: used }: FactQuestionOfRule,
  component: string,
  state: State,
  { reading, trial }: Compared,
): void {
  const entry = used ?? entryOf(unknown, rule, trial.state)
  if (!entry || entry.warning === null || entry.value === null || isSaid(unknown, component, state)) return
  const differs = (value: number) => {
    const other = trial.with((open) => putAnswer(entry, value, open))
    return other !== null && other !== reading
  }
  const isOpen = (value: number) => isPossibleAnswer(entry, value, unknown, trial.state)
  const tells = (value: number) => value !== entry.value && differs(value) && isOpen(value)
  if (!findTelling(entry, rule, trial.state, tells)) return
  const reason = entry.warning + putAside(unknown, state)
  warn(state, reason)
  for (const [path, assumed] of fieldsOf(entry, unknown, { reading, trial })) {
    record(state, { kind: entry.says, path, component, assumed, reason })
  }
}

/** What is said of a postcode that was sent and lies in no zone of the set: another one is taken in its place. */
function putAside(unknown: Named, { facts }: State): string {
  const postcode = facts[FACT_INDEX.postcode]!
  if (unknown.kind !== 'zone' || isUnknown(postcode)) return ''
  return ` The postcode sent, ${String(postcode).padStart(4, '0')}, is not used.`
}

/**
 * Looks for a value of the question that tells a difference. The value that did the last time is tried first; what is found
 * is remembered on the rule.
 */
function findTelling(entry: Entry, rule: CompiledRule, state: State, tells: (value: number) => boolean): boolean {
  const last = rule.told.get(entry)
  if (last !== undefined && tells(last)) return true
  const values = entry.values ?? candidatesBeside(rule.candidates(), entry.slot, state)
  const found = values.find((value) => value !== last && tells(value))
  // What is tried of a mass or of a date changes with the vehicle and the day.
  if (found !== undefined && !changesWithVehicle(entry)) rule.told.set(entry, found)
  return found !== undefined
}

const changesWithVehicle = ({ kind, slot }: Entry): boolean =>
  kind === 'fact' &&
  (MASSES.includes(slot) || slot === FACT_INDEX.manufactureDate || slot === FACT_INDEX.firstRegisteredDate)

/** Whether the vehicle, as far as it is known, leaves room for an answer. */
function isPossibleAnswer({ kind, slot, test }: Entry, value: number, unknown: Named, state: State): boolean {
  if (kind === 'fact') return isPossible(slot, value, state)
  return test === null || witness(test, value, unknown, state) !== null
}

/** Values of the fields that decide a class with which the vehicle is of the class, or is not. */
function witness(test: NamedTest, value: number | null, unknown: Named, state: State) {
  const parts = unknown.kind === 'class' ? unknown.facts : []
  const facts = [...new Set(parts.flatMap((each) => (each.kind === 'fact' ? [each.fact] : [])))]
  return witnessOf(test, value, { facts, candidates: test.candidates() }, state)
}

/** The entry for what another assumption left open: the first about it that is possible and whose `when` does not fail. */
const entryOf = (unknown: Named, { entries }: CompiledRule, state: State): Entry | undefined =>
  entries
    .about(unknown)
    .find((entry) => leavesRoom(entry, state) && (entry.when === null || entry.when.holds(state) !== FALSE))

/** Whether a field of the component is named already, by the class that it decides. */
function isSaid(unknown: Named, component: string, { messages }: State): boolean {
  if (unknown.kind !== 'fact') return false
  const path = FACT_PATH[unknown.fact]
  return messages.assumptions.some((one) => one.path === path && one.component === component)
}

function putAnswer({ kind, slot }: Entry, value: number, state: State): void {
  if (kind === 'fact') {
    state.facts[slot] = value
    return
  }
  const overlay: Overlay = (state.overlay = emptyOverlay())
  if (kind === 'class') overlay.classes.set(slot, value as Truth)
  else overlay.zones.set(slot, value)
}

/** The fields that stand for what was taken, each with a value that gives the same price where it is sent; null without one. */
function fieldsOf(entry: Entry, unknown: Named, { reading, trial }: Compared): [string, Entry['shown']][] {
  if (entry.test === null) return pathsOf(unknown).map((path) => [path, entry.shown])
  const found = witness(entry.test, entry.value, unknown, trial.state) ?? []
  // Another class may rest on the same field, and be taken otherwise than this value would have it.
  const isSame = ([fact, value]: [Fact, number]) =>
    trial.with(({ facts }) => (facts[FACT_INDEX[fact]] = value)) === reading
  const values = new Map(found.filter(isSame).map(([fact, value]) => [FACT_PATH[fact], written(fact, value)]))
  return pathsOf(unknown).map((path) => [path, values.get(path) ?? null])
}
