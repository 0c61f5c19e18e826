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

/**
 * Computes a component and summarises it as one number, which is the same for the same line whatever messages go with
 * it.
 */
export type LineFunction = (state: State) => number

/**
 * Reports, for each question of a component, the value assumed for the answer, when some answer would give another
 * reading than `reading`; a fact that cannot matter is never mentioned. Afterwards no question remains.
 */
export function report(component: string, reading: number, state: State, read: LineFunction): void {
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

/** Tries other answers on a copy of the request, where nothing is assumed and messages are discarded. */
interface Trial {
  readonly state: State
  /** The reading of the component with some answers; null when the vehicle is refused with them. */
  readonly with: (answer: (state: State) => void) => number | null
}

function createTrial(state: State, read: LineFunction): Trial {
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
        // When the answer makes another fact necessary, the answer matters; so it does when the amount exceeds what can
        // be computed.
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

/** Amounts of money that represent all others: zero, and the largest that a request may send. */
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

/** The message about a postcode that was sent but lies in no zone of the set: another postcode is assumed instead. */
function putAside(unknown: Named, { facts }: State): string {
  const postcode = facts[FACT_INDEX.postcode]!
  if (unknown.kind !== 'zone' || isUnknown(postcode)) return ''
  return ` The postcode sent, ${String(postcode).padStart(4, '0')}, is not used.`
}

/**
 * Finds a value of the question that makes a difference. The value that last did is tried first; the value found is
 * remembered on the rule.
 */
function findTelling(entry: Entry, rule: CompiledRule, state: State, tells: (value: number) => boolean): boolean {
  const last = rule.told.get(entry)
  if (last !== undefined && tells(last)) return true
  const values = entry.values ?? candidatesBeside(rule.candidates(), entry.slot, state)
  const found = values.find((value) => value !== last && tells(value))
  // The values tried for a mass or a date change with the vehicle and the day, so they are not remembered.
  if (found !== undefined && !changesWithVehicle(entry)) rule.told.set(entry, found)
  return found !== undefined
}

const changesWithVehicle = ({ kind, slot }: Entry): boolean =>
  kind === 'fact' &&
  (MASSES.includes(slot) || slot === FACT_INDEX.manufactureDate || slot === FACT_INDEX.firstRegisteredDate)

/** Whether an answer agrees with the known facts of the vehicle. */
function isPossibleAnswer({ kind, slot, test }: Entry, value: number, unknown: Named, state: State): boolean {
  if (kind === 'fact') return isPossible(slot, value, state)
  return test === null || witness(test, value, unknown, state) !== null
}

/** Values of the fields that decide a class, such that the vehicle is or is not of the class, as `value` says. */
function witness(test: NamedTest, value: number | null, unknown: Named, state: State) {
  const parts = unknown.kind === 'class' ? unknown.facts : []
  const facts = [...new Set(parts.flatMap((each) => (each.kind === 'fact' ? [each.fact] : [])))]
  return witnessOf(test, value, { facts, candidates: test.candidates() }, state)
}

/**
 * The entry for what another assumption left unknown: the first entry about it that is possible and whose `when` does
 * not fail.
 */
const entryOf = (unknown: Named, { entries }: CompiledRule, state: State): Entry | undefined =>
  entries
    .about(unknown)
    .find((entry) => leavesRoom(entry, state) && (entry.when === null || entry.when.holds(state) !== FALSE))

/** Whether a message already names a field of the component, because of the class that the field decides. */
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

/**
 * The fields that represent the assumption, each with a value that gives the same price when it is sent; null when
 * there is none.
 */
function fieldsOf(entry: Entry, unknown: Named, { reading, trial }: Compared): [string, Entry['shown']][] {
  if (entry.test === null) return pathsOf(unknown).map((path) => [path, entry.shown])
  const found = witness(entry.test, entry.value, unknown, trial.state) ?? []
  // Another class may depend on the same field, and its assumption may contradict this value.
  const isSame = ([fact, value]: [Fact, number]) =>
    trial.with(({ facts }) => (facts[FACT_INDEX[fact]] = value)) === reading
  const values = new Map(found.filter(isSame).map(([fact, value]) => [FACT_PATH[fact], written(fact, value)]))
  return pathsOf(unknown).map((path) => [path, values.get(path) ?? null])
}
