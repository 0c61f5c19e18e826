import { PricingFault } from '../answer.ts'
import { pathsOf } from './fact-paths.ts'
import { isDefaulted, type Entry } from '../compile/missing.ts'
import { assume, leavesRoom } from './assume.ts'
import { computeOutcome, sameOutcome, unpricedOutcome, type Outcome } from './outcome.ts'
import type { CompiledRule } from '../compile/rule.ts'
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

/** What may come out as long as nothing more is known. */
interface Prospect {
  readonly unknowns: readonly Unknown[]
  /** Set where there is only one outcome, whatever the unknown facts are. */
  readonly certain: Outcome | null
}

/**
 * The outcome of a rule where something it asks about is not known: its entries are used only as far as the outcome
 * depends on them. Adds to `state.questions` what it asked for. Throws PricingFault where an entry rejects.
 */
export function settle(rule: CompiledRule, state: State): Outcome {
  if (state.silent && state.readings === null && !rule.gradesNothing) {
    const outcome = settleSilently(rule, state)
    if (outcome) return outcome
  }
  for (;;) {
    const { certain, unknowns } = computeProspect(rule, state)
    if (certain) return certain
    const unpriced = remedy(unknowns, rule, state)
    if (unpriced !== null) return unpriced
  }
}

/**
 * The same where nobody reads what was asked for: only the first case that is open is looked at, and its entries are taken
 * without asking whether the outcome depends on them; where it does not, it is the same outcome with them. Null where an
 * entry takes no value.
 */
function settleSilently(rule: CompiledRule, state: State): Outcome | null {
  takePresets(rule, state)
  for (const each of rule.cases) {
    // What is taken closes what was open: a case that was passed over does not hold later.
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

/** Takes at once what would be taken one by one. */
function takePresets(rule: CompiledRule, state: State): void {
  for (const entry of rule.presets()) {
    if (isUnknown(state.facts[entry.slot]) && leavesRoom(entry, state)) assume(entry, entry.value ?? NaN, state)
  }
}

/** The truth of a test of the rule with its entries applied; an outcome where it cannot be told, and the line not priced. */
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

/** Takes the value of one entry, the interface's defaults first: with them, fewer classes are open. */
const takeOne = (unknowns: readonly Unknown[], rule: CompiledRule, state: State): boolean =>
  unknowns.some(
    (unknown) => unknown.kind !== 'unpriced' && isDefaulted(unknown) && takeFor(unknown, rule, state, []),
  ) || unknowns.some((unknown) => takeFor(unknown, rule, state, []))

/** Keeps what was asked for: after the line is priced, what of it matters is said. */
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

/** Leaves the line without a price, and says which fields would have given it one. */
function leaveUnpriced(unknown: Unknown, text: string, { component }: CompiledRule, state: State): Outcome {
  const paths = pathsOf(unknown)
  for (const path of paths) record(state, { kind: 'unpriced', path, component, assumed: null, reason: text })
  return unpricedOutcome('missing_fact', text, paths[0])
}

/** The refusal of a vehicle of which a fact is needed that was not sent: with the fact there may be a price. */
export class FactNeeded extends PricingFault {}

function reject(unknown: Unknown): never {
  const [path = '/vehicleGeneric'] = pathsOf(unknown)
  throw new FactNeeded('INVALID_VEHICLE_INPUT', path, `${nameOf(path)} is needed to price this vehicle.`)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/**
 * The first entry about it that the facts sent leave room for and whose `when` holds. Takes values: what that `when` needs
 * is settled with entries about something else.
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
