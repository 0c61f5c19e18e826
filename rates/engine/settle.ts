import { PricingFault } from './answer.ts'
import { FACT_PATH } from './fact-paths.ts'
import { candidatesAt } from './candidates.ts'
import { assume, concerns, DEFAULTS, retract, type Entry } from './missing.ts'
import { outcomeOf, sameOutcome, unpricedOutcome, type Outcome } from './outcome.ts'
import type { CompiledRule } from './rule.ts'
import { witnessOf } from './witness.ts'
import { FALSE, record, TRUE, UNKNOWN, warn, type State, type Test, type Truth, type Unknown } from './state.ts'

/** A value that was taken for something unknown. */
interface Taken {
  readonly entry: Entry
  readonly unknown: Unknown
}

/** What may come out as long as nothing more is known. */
interface Prospect {
  readonly unknowns: readonly Unknown[]
  /** The outcomes that can be told, the first of each sort. */
  readonly outcomes: readonly Outcome[]
  /** Set where there is only one, whatever the unknown facts are. */
  readonly certain: Outcome | null
}

/** The outcome as the line will show it, after the term and the concession. */
type AsLine = (outcome: Outcome) => Outcome

/**
 * The outcome of a rule where something it asks about is not known: the entries are used only as far as the outcome
 * depends on them, and a warning is given only where it does. Throws PricingFault where an entry rejects.
 */
export function settle(rule: CompiledRule, state: State, asLine: AsLine): Outcome {
  const taken: Taken[] = []
  for (;;) {
    const prospect = prospectOf(rule, state)
    const { certain } = prospect
    if (certain) {
      const line = asLine(certain)
      report(taken, rule, state, () => changes(line, prospectOf(rule, state), asLine))
      return certain
    }
    const unpriced = remedy(prospect.unknowns, rule, state, taken)
    if (unpriced !== null) {
      report(taken, rule, state, () => prospectOf(rule, state).outcomes.some(({ kind }) => kind !== 'unpriced'))
      return unpriced
    }
  }
}

const changes = (line: Outcome, { certain }: Prospect, asLine: AsLine) =>
  certain === null || !sameOutcome(asLine(certain), line)

/** The truth of a test of the rule with its entries applied; an outcome where it cannot be told, and the line not priced. */
export function settleTest(test: Test, rule: CompiledRule, state: State): Truth | Outcome {
  const taken: Taken[] = []
  for (;;) {
    const truth = test.holds(state)
    if (truth !== UNKNOWN) {
      report(taken, rule, state, () => test.holds(state) !== truth)
      return truth
    }
    const unknowns: Unknown[] = []
    test.blame(state, unknowns)
    const unpriced = remedy(unknowns, rule, state, taken)
    if (unpriced !== null) return unpriced
  }
}

function prospectOf(rule: CompiledRule, state: State): Prospect {
  const unknowns: Unknown[] = []
  const found: (Outcome | null)[] = []
  for (const each of rule.cases) {
    const truth = each.when?.holds(state) ?? TRUE
    if (truth === FALSE) continue
    if (truth === UNKNOWN) each.when?.blame(state, unknowns)
    const outcome = outcomeOf(each, state)
    if (outcome === null) each.charge?.blame(state, unknowns)
    found.push(outcome)
    if (truth === TRUE) break
  }
  const outcomes = found.filter((outcome) => outcome !== null)
  const [first] = outcomes
  const certain = first && found.every((outcome) => outcome !== null && sameOutcome(outcome, first))
  return { unknowns, outcomes, certain: certain ? first : null }
}

/** Applies one entry; returns null after an assumption, or the outcome that says why there is no price. */
function remedy(unknowns: readonly Unknown[], rule: CompiledRule, state: State, taken: Taken[]): Outcome | null {
  // The interface's defaults first: with them, fewer classes are open.
  if (unknowns.some((unknown) => isDefaulted(unknown) && takeFor(unknown, rule, state, taken))) return null
  if (unknowns.some((unknown) => takeFor(unknown, rule, state, taken))) return null
  for (const unknown of unknowns) {
    const entry = entryFor(unknown, rule, state, taken)
    if (entry !== null && entry.unpriced === null) return reject(unknown)
    if (entry !== null) return leave(unknown, entry.unpriced ?? '', rule, state)
    if (unknown.kind === 'unpriced') {
      return unpricedOutcome(unknown.because, `${rule.name} is not priced: ${unknown.text}.`, unknown.path)
    }
  }
  const [unknown] = unknowns
  if (!unknown) return unpricedOutcome('not_supported', `${rule.name} is not priced: no case applies.`)
  const fields = pathsOf(unknown).map(nameOf).join(', ')
  return leave(unknown, `${rule.name} is not priced: ${fields} not sent.`, rule, state)
}

const isDefaulted = (unknown: Unknown) => DEFAULTS.some((entry) => concerns(entry, unknown))

/** Leaves the line without a price, and says which fields would have given it one. */
function leave(unknown: Unknown, text: string, { component }: CompiledRule, state: State): Outcome {
  const paths = pathsOf(unknown)
  for (const path of paths) record(state, { kind: 'unpriced', path, component, assumed: null, reason: text })
  return unpricedOutcome('missing_fact', text, paths[0])
}

function reject(unknown: Unknown): never {
  const [path = '/vehicleGeneric'] = pathsOf(unknown)
  throw new PricingFault('INVALID_VEHICLE_INPUT', path, `${nameOf(path)} is needed to price this vehicle.`)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** JSON pointers of the fields that would have answered. */
function pathsOf(unknown: Unknown): string[] {
  if (unknown.kind === 'fact') return [FACT_PATH[unknown.fact]]
  if (unknown.kind === 'zone') return [FACT_PATH.postcode]
  if (unknown.kind === 'class') return [...new Set(unknown.facts.flatMap(pathsOf))]
  return []
}

/** The first entry about it whose `when` holds; what that `when` needs is settled with the other entries. */
function entryFor(unknown: Unknown, rule: CompiledRule, state: State, taken: Taken[]): Entry | null {
  const others: CompiledRule = { ...rule, missing: rule.missing.filter((entry) => !concerns(entry, unknown)) }
  for (const entry of rule.missing) {
    if (!concerns(entry, unknown)) continue
    if (entry.when === null || truthOf(entry.when, others, state, taken) === TRUE) return entry
  }
  return null
}

function truthOf(test: Test, rule: CompiledRule, state: State, taken: Taken[]): Truth {
  for (;;) {
    const truth = test.holds(state)
    if (truth !== UNKNOWN) return truth
    const unknowns: Unknown[] = []
    test.blame(state, unknowns)
    const helpful = unknowns.find((unknown) => takeFor(unknown, rule, state, taken))
    if (!helpful) return UNKNOWN
  }
}

function takeFor(unknown: Unknown, rule: CompiledRule, state: State, taken: Taken[]): boolean {
  const entry = entryFor(unknown, rule, state, taken)
  if (entry === null || entry.value === null) return false
  assume(entry, entry.value, state)
  taken.push({ entry, unknown })
  return true
}

/** Warns of what was taken, except where any other value gives the same; `differs` asks whether the present ones do not. */
function report(taken: readonly Taken[], rule: CompiledRule, state: State, differs: () => boolean): void {
  const { component } = rule
  for (const { entry, unknown } of taken) {
    if (entry.warning === null || !matters(entry, rule, state, differs)) continue
    const fields = fieldsOf(entry, unknown, rule, state)
    assume(entry, entry.value ?? NaN, state)
    warn(state, entry.warning)
    for (const [path, assumed] of fields) {
      record(state, { kind: entry.says, path, component, assumed, reason: entry.warning })
    }
  }
}

/** Whether the outcome is another one with some other value; with none, where every value counts. Takes the value back. */
function matters(entry: Entry, { candidates }: CompiledRule, state: State, differs: () => boolean): boolean {
  const values = entry.values ?? candidatesAt(candidates, entry.slot, state.ageDay)
  retract(entry, state)
  if (values.length === 0 || (entry.kind === 'fact' && candidates.uncountable.has(entry.slot))) return differs()
  return values.some((value) => {
    if (value === entry.value) return false
    assume(entry, value, state)
    const found = differs()
    retract(entry, state)
    return found
  })
}

/** The fields that stand for what was taken, each with the value that gives the same price. */
function fieldsOf(entry: Entry, unknown: Unknown, rule: CompiledRule, state: State): [string, Entry['shown']][] {
  if (entry.test === null || unknown.kind !== 'class') return pathsOf(unknown).map((path) => [path, entry.shown])
  const facts = [...new Set(unknown.facts.flatMap((each) => (each.kind === 'fact' ? [each.fact] : [])))]
  const found = witnessOf(entry.test, entry.value, { facts, candidates: rule.candidates }, state)
  const values = new Map(found?.map(([fact, value]) => [FACT_PATH[fact], value]))
  return pathsOf(unknown).map((path) => [path, values.get(path) ?? null])
}
