import { write } from '../account.ts'
import { PricingFault } from '../answer.ts'
import { compare, ONE, toCents, whole, type Exact } from '../exact.ts'
import { FACT_PATH } from './fact-paths.ts'
import { GRADES, isEstimate } from '../grade.ts'
import { retractAll } from './assume.ts'
import { computeOutcome, unpricedOutcome, type Line, type Outcome } from './outcome.ts'
import type { CompiledComponent } from '../compile/program.ts'
import type { CompiledCase, CompiledRule, CompiledTerm } from '../compile/rule.ts'
import { onTerm, shareOf, compiledTermOf, writtenShare } from './registration-term.ts'
import { report } from './report.ts'
import { computeUnnoted, decide, keepReading } from './readings.ts'
import { settle, settleTest } from './settle.ts'
import {
  FALSE,
  NO_WARNINGS,
  note,
  TRUE,
  UNKNOWN,
  warnOfLine,
  type Adjust,
  type FallbackQuestion,
  type Notes,
  type State,
  type Trace,
} from '../state.ts'

/** Prices one component, and reports the values assumed for facts that were not sent when the line depends on them. */
export function evaluate(component: CompiledComponent, state: State): Line | null {
  const line = price(component, state)
  if (state.questions !== null) {
    report(component.name, readingOf(component, line, state), state, (trial) => {
      trial.unpriced[component.slot] = undefined
      return readingOf(component, price(component, trial), trial)
    })
  }
  if (state.overlay !== null) retractAll(state)
  if (line !== null) state.cents[component.slot] = line.cents
  return line
}

/**
 * Prices one component by a case that is known to apply, with what the state assumes already. False when the case has no
 * amount.
 */
export function evaluateCase(
  component: CompiledComponent,
  { rule, at }: { rule: CompiledRule; at: CompiledCase },
  state: State,
): boolean {
  const outcome = computeOutcome(at, state)
  if (outcome === null) return false
  const line = finish(component, rule, outcome, state)
  if (line !== null) state.cents[component.slot] = line.cents
  return true
}

/**
 * Summarises a result as one number for comparison: one range of numbers encodes cents and grade of a line; other
 * numbers stand for no line and for a component without a price.
 */
function readingOf({ slot }: CompiledComponent, line: Line | null, { unpriced }: State): number {
  if (line !== null) return line.cents * GRADES + line.evidence
  return unpriced[slot] === undefined ? -1 : -2
}

/**
 * Chooses the rule that gives the line: among rules whose dates cover the day and whose `when` is not false, the rule
 * of highest priority. A special rule whose `when` fails thus falls back to the general rule.
 */
function price(component: CompiledComponent, state: State): Line | null {
  for (const rule of component.rules) {
    if (state.day < rule.from || state.day > rule.to) continue
    let truth = rule.when === null ? TRUE : rule.when.holds(state)
    if (truth === UNKNOWN && rule.when) {
      const settled = settleTest(rule.when, rule, state)
      if (typeof settled === 'object') return leaveUnpriced(component, rule, settled, state)
      truth = settled
    }
    if (state.readings !== null) keepReading(rule, state)
    if (truth === FALSE) continue
    return finish(component, rule, computeIfKnown(rule, state) ?? settle(rule, state), state)
  }
  return null
}

/** Computes the outcome if everything that it depends on is known. */
function computeIfKnown(rule: CompiledRule, state: State): Outcome | null {
  for (const each of rule.cases) {
    const truth = each.when === null ? TRUE : each.when.holds(state)
    if (truth === UNKNOWN) return null
    if (truth === FALSE) continue
    const outcome = computeOutcome(each, state)
    return outcome && decide(rule, outcome, state)
  }
  return unpricedOutcome('not_supported', `${rule.name} is not priced: no case applies.`)
}

/** Records why the component has no price. */
function leaveUnpriced({ name, slot }: CompiledComponent, rule: CompiledRule, outcome: Outcome, state: State): null {
  const { because, path, text: reason } = outcome
  const { pricingCode } = rule
  const found = { component: name, pricingCode, because, ...(path === null ? {} : { path }), reason }
  state.unpriced[slot] = found
  state.messages.unpriced.push(found)
  warnOfLine(state, { kind: 'unpriced', component: name, assumed: null, reason })
  return null
}

function finish(component: CompiledComponent, rule: CompiledRule, outcome: Outcome, state: State): Line | null {
  if (state.readings !== null) keepReading(rule, state)
  if (outcome.trace) state.trace = outcome.trace
  if (outcome.kind === 'unpriced') return leaveUnpriced(component, rule, outcome, state)
  if (outcome.kind === 'reject') return reject(rule, outcome)
  const notes: Notes = (state.notes = { evidence: outcome.evidence, warnings: outcome.warnings })
  const cents = outcome.kind === 'charge' ? computeCents(component.slot, rule, outcome, state) : 0
  if (typeof cents === 'object') return leaveUnpriced(component, rule, cents, state)
  const unsaid = isUnsaid(outcome, notes.evidence)
  if (outcome.kind === 'charge' && !notes.isSet) noteTerm(rule, state)
  const about = {
    kind: isEstimate(notes.evidence) ? 'estimate' : 'assumed',
    component: component.name,
    assumed: cents,
  } as const
  sayNotes(rule, about, state)
  if (outcome.kind === 'omit') return null
  if (unsaid) warnOfLine(state, { ...about, reason: `${rule.name} is an estimate.` })
  return { rule, cents, evidence: notes.evidence, outcome, trace: state.trace }
}

/**
 * Adds the notes of a line to the messages. Fallbacks of a basis are reported later, and only when the field could
 * change the line.
 */
function sayNotes(
  { fallbacks }: CompiledRule,
  about: Omit<Parameters<typeof warnOfLine>[1], 'reason'>,
  state: State,
): void {
  for (const reason of state.notes.warnings) {
    const absent = fallbacks.get(reason)
    if (absent === undefined) warnOfLine(state, { ...about, reason })
    else for (const fallback of absent) askForFallback({ fallback, reason }, state)
  }
}

/**
 * Adds a question for a basis that fell back; the report mentions the fallback only when the field could change the
 * line.
 */
function askForFallback(question: FallbackQuestion, state: State): void {
  if (state.silent) return
  if (state.questions === null) state.questions = [question]
  else state.questions.push(question)
}

/** The cents of a charge after its term and the concession, or the outcome that says why there is no price. */
function computeCents(slot: number, rule: CompiledRule, outcome: Outcome, state: State): number | Outcome {
  const term = compiledTermOf(rule, state)
  if (term === undefined) return termNotPriced(rule)
  if (state.trace) traceLine(state, state.trace, rule, { outcome, term })
  const amount = applyConcession(slot, rule, onTerm(outcome.amount, term, state), { state, term })
  return 'kind' in amount ? amount : wholeCents(amount, state)
}

function wholeCents(amount: Exact, { trace }: State): number {
  const cents = toCents(amount)
  if (trace && compare(amount, whole(cents)) !== 0) write(trace, TO_THE_CENT, whole(cents))
  return cents
}

const TO_THE_CENT = { kind: 'round', toCents: ONE, mode: 'halfUp' } as const

const termNotPriced = (rule: CompiledRule): Outcome =>
  unpricedOutcome('not_supported', `${rule.name} is not priced for this term.`, FACT_PATH.termMonths)

/** Adds the grade of the term to the notes, when the term has a grade of its own. */
function noteTerm(rule: CompiledRule, state: State): void {
  const term = compiledTermOf(rule, state)
  if (term) note(state, term.evidence, term.warnings)
}

function reject(rule: CompiledRule, { text }: Outcome): never {
  const reason = text || `${rule.name} does not allow this vehicle.`
  throw new PricingFault('INVALID_VEHICLE_INPUT', '/vehicleGeneric', reason)
}

function applyConcession(
  slot: number,
  rule: CompiledRule,
  amount: Exact,
  { state, term }: { state: State; term: CompiledTerm | null },
): Exact | Outcome {
  const adjustments = state.concession?.components[slot]
  if (adjustments === undefined) return amount
  let left = amount
  for (const each of adjustments) {
    const truth = settleWhenOf(each, rule, state)
    if (typeof truth === 'object') return truth
    if (truth === FALSE) continue
    if (each.sets) forgetFigure(state.notes, each.sets)
    left = each.apply(left, state, term ? shareOf(term, state) : ONE)
    note(state, each.evidence, each.warnings)
    if (state.trace && compare(left, amount) !== 0) state.trace.concession = state.concession?.type
  }
  return left
}

/**
 * Drops the notes of a figure that a concession replaces: the new amount rests on the concession alone, so a doubt
 * about the figure is no doubt about the line.
 */
function forgetFigure(notes: Notes, sets: NonNullable<Adjust['sets']>): void {
  notes.evidence = 0
  notes.warnings = NO_WARNINGS
  notes.isSet = sets === 'amount'
}

function settleWhenOf(adjustment: Adjust, rule: CompiledRule, state: State) {
  if (state.day < adjustment.from || state.day > adjustment.to) return FALSE
  if (adjustment.when === null) return TRUE
  const truth = adjustment.when.holds(state)
  return truth === UNKNOWN ? settleTest(adjustment.when, rule, state) : truth
}

/** Whether an estimate has no warning yet. Every estimate carries one: that of its case or row, or else the rule's. */
const isUnsaid = ({ at, graded }: Outcome, evidence: number): boolean =>
  isEstimate(evidence) && !graded && at?.warnings.length === 0

function traceLine(
  state: State,
  trace: Trace,
  { basis }: CompiledRule,
  { outcome, term }: { outcome: Outcome; term: CompiledTerm | null },
): void {
  trace.unrounded ??= outcome.amount
  if (term) trace.term = { months: term.months, factor: writtenShare(term, state) }
  const amount = basis && computeUnnoted(basis, state)
  if (basis && amount) trace.basis = { name: basis.name, amount }
}
