import { PricingFault } from '../answer.ts'
import { pathsOf } from './fact-paths.ts'
import { isDefaulted, type Entry } from '../compile/missing.ts'
import { assume, leavesRoom } from './assume.ts'
import { computeOutcome, sameOutcome, unpricedOutcome, type Outcome } from './outcome.ts'
import type { CompiledRule } from '../compile/rule.ts'
import { decide } from './readings.ts'
import {
  FALSE,
  isUnknown,
  record,
  TRUE,
  UNKNOWN,
  type FactQuestion,
  type Named,
  type State,
  type Test,
  type Truth,
  type Unknown,
} from '../state.ts'

/** The possible results with what is known so far. */
interface Prospect {
  readonly unknowns: readonly Unknown[]
  /** Set when there is only one possible outcome, whatever the unknown facts are. */
  readonly certain: Outcome | null
}

/**
 * Determines the outcome of a rule that asks about something unknown; the rule's entries are used only as far as the
 * outcome depends on them. Adds what it asked for to `state.questions`. Throws PricingFault when an entry rejects.
 */
export function settle(rule: CompiledRule, state: State): Outcome {
  if (state.silent && !rule.gradesNothing) {
    const outcome = settleSilently(rule, state)
    if (outcome) return decide(rule, outcome, state)
  }
  for (;;) {
    const { certain, unknowns } = computeProspect(rule, state)
    if (certain) return certain
    const unpriced = remedy(unknowns, rule, state)
    if (unpriced !== null) return unpriced
  }
}

/**
 * Determines the same outcome faster, when nobody reads the questions. It takes the first open case and applies its
 * entries without checking whether the outcome depends on them; if it does not, the outcome is the same. Null when an
 * entry has no value to assume.
 */
function settleSilently(rule: CompiledRule, state: State): Outcome | null {
  takePresets(rule, state)
  for (const each of rule.cases) {
    // An assumption decides what was unknown, so a case that was skipped does not hold later.
    for (;;) {
      const truth = each.when === null ? TRUE : each.when.holds(state)
      if (truth === FALSE) break
      const outcome = truth === TRUE ? computeOutcome(each, state) : null
      if (outcome) return outcome
      const unknowns: Unknown[] = []
      if (truth === UNKNOWN) each.when?.blame(state, unknowns)
      else each.charge?.blame(state, unknowns)
      if (!takeOne(unknowns, rule, state)) return null
    }
  }
  return null
}

/** Assumes at once the values that would otherwise be assumed one by one. */
function takePresets(rule: CompiledRule, state: State): void {
  for (const entry of rule.presets()) {
    if (isUnknown(state.facts[entry.slot]) && leavesRoom(entry, state)) assume(entry, entry.value ?? NaN, state)
  }
}

/**
 * The truth of a test of the rule after its entries are applied, or, when the truth stays unknown, the outcome that
 * leaves the line without a price.
 */
export function settleTest(test: Test, rule: CompiledRule, state: State): Truth | Outcome {
  for (;;) {
    const truth = test.holds(state)
    if (truth !== UNKNOWN) return truth
    const unknowns: Unknown[] = []
    test.blame(state, unknowns)
    const unpriced = remedy(unknowns, rule, state)
    if (unpriced !== null) return unpriced
  }
}

function computeProspect(rule: CompiledRule, state: State): Prospect {
  const unknowns: Unknown[] = []
  const found: (Outcome | null)[] = []
  for (const each of rule.cases) {
    const truth = each.when?.holds(state) ?? TRUE
    if (truth === FALSE) continue
    if (truth === UNKNOWN) each.when?.blame(state, unknowns)
    const outcome = computeOutcome(each, state)
    if (outcome === null) each.charge?.blame(state, unknowns)
    found.push(outcome)
    if (truth === TRUE) break
  }
  const [first] = found
  const certain = first && found.every((outcome) => outcome !== null && sameOutcome(outcome, first))
  return { unknowns, certain: certain ? first : null }
}

/** Applies one entry; returns null after an assumption, or the outcome that says why there is no price. */
function remedy(unknowns: readonly Unknown[], rule: CompiledRule, state: State): Outcome | null {
  ask(unknowns, rule, state)
  if (takeOne(unknowns, rule, state)) return null
  for (const unknown of unknowns) {
    const entry = settleEntryFor(unknown, rule, state, [])
    if (entry !== null && entry.unpriced === null) return reject(unknown)
    if (entry !== null) return leaveUnpriced(unknown, entry.unpriced ?? '', rule, state)
    if (unknown.kind === 'unpriced') {
      return unpricedOutcome(unknown.because, `${rule.name} is not priced: ${unknown.text}.`, unknown.path)
    }
  }
  const [unknown] = unknowns
  if (!unknown) return unpricedOutcome('not_supported', `${rule.name} is not priced: no case applies.`)
  const fields = pathsOf(unknown).map(nameOf).join(', ')
  return leaveUnpriced(unknown, `${rule.name} is not priced: ${fields} not sent.`, rule, state)
}

/** Assumes the value of one entry. The interface's defaults come first, because with them fewer classes are unknown. */
const takeOne = (unknowns: readonly Unknown[], rule: CompiledRule, state: State): boolean =>
  unknowns.some(
    (unknown) => unknown.kind !== 'unpriced' && isDefaulted(unknown) && takeFor(unknown, rule, state, []),
  ) || unknowns.some((unknown) => takeFor(unknown, rule, state, []))

/** Keeps the questions; once the line is priced, the report names those that matter. */
function ask(unknowns: readonly Unknown[], rule: CompiledRule, state: State): void {
  if (state.silent) return
  const questions = (state.questions ??= [])
  for (const unknown of unknowns) {
    if (unknown.kind !== 'unpriced' && !questionOf(unknown, rule, state)) questions.push({ rule, unknown, entry: null })
  }
}

const questionOf = (unknown: Named, rule: CompiledRule, { questions }: State) =>
  questions?.find((one): one is FactQuestion => 'unknown' in one && one.rule === rule && isSame(one.unknown, unknown))

const isSame = (a: Named, b: Named): boolean => a.kind === b.kind && a.slot === b.slot

/** Leaves the line without a price, and names the fields that would have given it one. */
function leaveUnpriced(unknown: Unknown, text: string, { component }: CompiledRule, state: State): Outcome {
  const paths = pathsOf(unknown)
  for (const path of paths) record(state, { kind: 'unpriced', path, component, assumed: null, reason: text })
  return unpricedOutcome('missing_fact', text, paths[0])
}

/** Refuses a vehicle because a necessary fact was not sent; with the fact, there may be a price. */
export class FactNeeded extends PricingFault {}

function reject(unknown: Unknown): never {
  const [path = '/vehicleGeneric'] = pathsOf(unknown)
  throw new FactNeeded('INVALID_VEHICLE_INPUT', path, `${nameOf(path)} is needed to price this vehicle.`)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/**
 * The first entry about it that agrees with the facts sent and whose `when` holds. May assume values: to decide that
 * `when`, it applies entries about other facts.
 */
function settleEntryFor(unknown: Unknown, rule: CompiledRule, state: State, open: readonly Named[]): Entry | null {
  if (unknown.kind === 'unpriced' || open.some((each) => isSame(each, unknown))) return null
  for (const entry of rule.entries.about(unknown)) {
    if (!leavesRoom(entry, state)) continue
    if (entry.when === null || settleEntryTest(entry.when, rule, state, [...open, unknown]) === TRUE) return entry
  }
  return null
}

function settleEntryTest(test: Test, rule: CompiledRule, state: State, open: readonly Named[]): Truth {
  for (;;) {
    const truth = test.holds(state)
    if (truth !== UNKNOWN) return truth
    const unknowns: Unknown[] = []
    test.blame(state, unknowns)
    ask(unknowns, rule, state)
    const helpful = unknowns.find((unknown) => takeFor(unknown, rule, state, open))
    if (!helpful) return UNKNOWN
  }
}

function takeFor(unknown: Unknown, rule: CompiledRule, state: State, open: readonly Named[]): boolean {
  const entry = settleEntryFor(unknown, rule, state, open)
  if (entry === null || entry.value === null || unknown.kind === 'unpriced') return false
  assume(entry, entry.value, state)
  const question = questionOf(unknown, rule, state)
  if (question) question.entry = entry
  return true
}
