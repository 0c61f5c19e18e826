import { figuresOfCase } from '../coverage/figures.ts'
import type { Subject } from '../checks/subject.ts'
import { candidatesAt } from '../engine/compile/candidates.ts'
import { toCents } from '../engine/exact.ts'
import { MONEY_FACTS } from '../engine/grammar/facts.ts'
import { computeOutcome } from '../engine/price/outcome.ts'
import type { CompiledComponent } from '../engine/compile/program.ts'
import type { CompiledCase, CompiledRule } from '../engine/compile/rule.ts'
import { FACT_INDEX, FALSE, TRUE, type State, type Unknown } from '../engine/state.ts'

/** The possible results of a component for a kind of vehicle, when every other fact is sent, whatever its value. */
export interface Prospects {
  /** The grades that its line may have. */
  grades: Set<number>
  /** Whether the component can be without a price. */
  unpriced: boolean
  /** Whether the component can have a price, or an exemption. */
  settled: boolean
}

/** The context in which a component is explored: the sets that have its figures. */
export interface Setting {
  subjectOf: (rule: CompiledRule) => Subject
  /** Values worth trying, by component, fact and day; they are the same for every kind of vehicle. */
  tried: Map<string, readonly number[]>
}

/** Most combinations tried for one component; beyond these, every result counts as possible. */
const MOST = 5000

/**
 * The possible results of the cases that the known facts leave open. Open facts are tried value by value, one for each
 * group that the rules can tell apart, until a combination with a price and one without are found.
 */
export function prospectsOf(component: CompiledComponent, state: State, setting: Setting): Prospects {
  const { grades } = lookAtRules(component, state, setting)
  const found: Prospects = { grades, unpriced: false, settled: false }
  let tries = 0
  const visit = (): void => {
    // A computed basis is cached, but the facts behind it have changed.
    state.bases.fill(undefined)
    const open = lookAtRules(component, state, setting)
    const isMixed = open.unpriced && open.settled
    const slot = isMixed && ++tries <= MOST ? open.facts[0] : undefined
    if (slot === undefined) {
      found.unpriced ||= open.unpriced
      found.settled ||= open.settled
      return
    }
    for (const value of valuesOnce(slot, component, state, setting)) {
      state.facts[slot] = value
      visit()
      if (found.unpriced && found.settled) break
    }
    state.facts[slot] = NaN
  }
  visit()
  return found
}

interface Open extends Prospects {
  /** Slots of the facts that would decide; the facts of cases without a price come first. */
  facts: number[]
}

/** What is explored, and the results so far. */
interface Look {
  state: State
  setting: Setting
  open: Open
  /** What the cases without a price ask about, and what the other cases ask about. */
  lacking: Unknown[]
  others: Unknown[]
}

function lookAtRules(component: CompiledComponent, state: State, setting: Setting): Open {
  const open: Open = { grades: new Set(), unpriced: false, settled: false, facts: [] }
  const look: Look = { state, setting, open, lacking: [], others: [] }
  const certain = component.rules.some((rule) => {
    if (state.day < rule.from || state.day > rule.to) return false
    const truth = rule.when?.holds(state) ?? TRUE
    if (truth === FALSE) return false
    if (truth !== TRUE) rule.when?.blame(state, look.others)
    lookAtCases(rule, look)
    return truth === TRUE
  })
  if (!certain) open.settled = true
  return { ...open, facts: slotsOf([...look.lacking, ...look.others]) }
}

function lookAtCases(rule: CompiledRule, look: Look): void {
  const { state, open } = look
  for (const [at, each] of rule.cases.entries()) {
    const truth = each.when?.holds(state) ?? TRUE
    if (truth === FALSE) continue
    if (truth !== TRUE) each.when?.blame(state, each.outcome === 'unpriced' ? look.lacking : look.others)
    if (each.outcome === 'unpriced') open.unpriced = true
    else if (each.charge === null) lookAtExemption(each, open)
    else lookAtCharge(rule, at, look)
    if (truth === TRUE) return
  }
}

function lookAtExemption({ outcome, evidence }: CompiledCase, open: Open): void {
  open.settled ||= outcome !== 'reject'
  if (outcome === 'zero') open.grades.add(evidence)
}

function lookAtCharge(rule: CompiledRule, at: number, { state, setting, open, lacking }: Look): void {
  const [each, written] = [rule.cases[at]!, rule.spec.cases[at]!]
  const term = rule.terms?.get(state.facts[FACT_INDEX.termMonths]!)
  if (rule.terms && !term) return void (open.unpriced = true)
  const addGrade = (grade: number) => open.grades.add(Math.max(grade, term?.evidence ?? 0))
  const gaps = written.charge?.table?.rows.some(({ amounts }) => amounts.includes('-')) ?? false
  const outcome = computeOutcome(each, state)
  if (outcome !== null) addGrade(outcome.evidence)
  else if (gaps && !lookAtOpenCells(each, { state, open, lacking })) return
  else
    for (const { rank } of figuresOfCase(written, written.charge!, rule.spec, setting.subjectOf(rule)))
      addGrade(rank)
  open.settled = true
}

/** Whether facts may still select a published cell of a table; records that they may select an unpublished one. */
function lookAtOpenCells(
  { charge }: CompiledCase,
  { state, open, lacking }: Pick<Look, 'state' | 'open' | 'lacking'>,
): boolean {
  const before = lacking.length
  charge?.blame(state, lacking)
  open.unpriced = true
  return slotsOf(lacking.slice(before)).length > 0
}

/** The slots of facts behind the unknowns: a class, a zone or a basis is unknown because facts are. */
function slotsOf(unknowns: readonly Unknown[]): number[] {
  return unknowns.flatMap((unknown) => {
    if (unknown.kind === 'fact') return [unknown.slot]
    return unknown.kind === 'zone' ? [FACT_INDEX.postcode] : []
  })
}

function valuesOnce(slot: number, component: CompiledComponent, state: State, setting: Setting): readonly number[] {
  const key = `${component.slot} ${slot} ${state.day}`
  const known = setting.tried.get(key) ?? valuesOf(slot, component, state, setting)
  setting.tried.set(key, known)
  return known
}

function valuesOf(slot: number, component: CompiledComponent, state: State, setting: Setting): readonly number[] {
  const rule = component.rules[0]!
  if (slot === FACT_INDEX.dutiable) return prices(component, state)
  if (slot === FACT_INDEX.postcode) return postcodes(setting.subjectOf(rule))
  if (MONEY_SLOTS.has(slot)) return [USUAL_PRICE]
  return [...new Set(component.rules.flatMap(({ candidates }) => candidatesAt(candidates(), slot, state.ageDay)))]
}

const USUAL_PRICE = 4_500_000
const MONEY_SLOTS = new Set(MONEY_FACTS.map((fact) => FACT_INDEX[fact]))

/** A usual price, and a price on each side of every edge. */
const prices = ({ rules }: CompiledComponent, state: State): number[] => [
  USUAL_PRICE,
  ...rules
    .flatMap(({ edges }) => edges.map((edge) => toCents(edge.computeAndNote(state))))
    .flatMap((cents) => [cents, cents + 1]),
]

/** The first postcode of each zone. */
const postcodes = ({ spec }: Subject): number[] =>
  (spec.zones ?? []).flatMap(({ values }) => values.map(({ postcodes: [first = ''] }) => Number(first.slice(0, 4))))
