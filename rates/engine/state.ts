import type { AccountStep } from './account.ts'
import type { Assumption, UnpricedBecause, UnpricedComponent } from './answer.ts'
import type { Exact } from './exact.ts'
import { ENUM_FACTS, FACTS, type EnumFact, type Fact } from './grammar/facts.ts'
import type { RequestLine } from './request.ts'

/** Three-valued logic: a test on a fact that was not sent is neither true nor false. */
export const FALSE = 0
export const TRUE = 1
export const UNKNOWN = 2
export type Truth = 0 | 1 | 2

/** Whether the number of a fact stands for "not sent": NaN, the only number that is not equal to itself. */
export const isUnknown = (value: number | undefined): boolean => value !== value

/** Position of each fact in `State.facts`. */
export const FACT_INDEX = Object.freeze(Object.fromEntries(FACTS.map((fact, index) => [fact, index]))) as Record<
  Fact,
  number
>

const ENUM_CODES = new Map<string, Map<string, number>>(
  Object.entries(ENUM_FACTS).map(([fact, words]) => [fact, new Map(words.map((word, code) => [word, code]))]),
)

/** A bit that no list of words has: a word that the grammar does not know is in no list. */
export const NO_WORD = 30

/** The number of each word of an enumerated fact. */
export const codesOf = (fact: EnumFact): ReadonlyMap<string, number> =>
  ENUM_CODES.get(fact) ?? new Map<string, number>()

/** Number of a word of an enumerated fact. */
export const codeOf = (fact: EnumFact, word: string): number => codesOf(fact).get(word) ?? NO_WORD

/** What stands in the way of an answer. */
export type Unknown =
  | { readonly kind: 'fact'; readonly slot: number; readonly fact: Fact }
  | { readonly kind: 'class'; readonly slot: number; readonly name: string; readonly facts: readonly Unknown[] }
  | { readonly kind: 'zone'; readonly slot: number; readonly name: string }
  | {
      readonly kind: 'unpriced'
      readonly text: string
      readonly because: UnpricedBecause
      readonly path?: string | undefined
    }

/**
 * A compiled test; `blame` lists what makes it UNKNOWN, in file order. A test on a basis computes that basis, and the open
 * notes of the state then have the grades and warnings of the basis too.
 */
export interface Test {
  readonly holds: (state: State) => Truth
  readonly blame: (state: State, unknowns: Unknown[]) => void
}

/**
 * A compiled amount in cents; null where it cannot be told, and then `blame` says why. Computing writes to the state: the
 * grades and warnings that the amount rests on go to the open notes (`openNotes`), the steps to the trace.
 */
export interface Figure {
  readonly computeAndNote: (state: State) => Exact | null
  readonly blame: (state: State, unknowns: Unknown[]) => void
}

/** How far a figure can be trusted, and what must be said of it. */
export interface Notes {
  /** The weakest grade met: grade.ts. */
  evidence: number
  warnings: readonly string[]
  /** A concession has set the amount: neither the figure nor its term counts any more. */
  isSet?: boolean
}

export const NO_WARNINGS: readonly string[] = Object.freeze([])

/** How a line came to its figure, filled in only when it was asked for. */
export interface Trace {
  basis?: { name: string; amount: Exact }
  step?: string
  unrounded?: Exact
  round?: { toCents: string; mode: string }
  term?: { months: number; factor: string }
  concession?: string
  account: AccountStep[]
}

/** What is unknown and has a name that an entry can be about. */
export type Named = Exclude<Unknown, { kind: 'unpriced' }>

/** A fact, class or zone that a rule reads and the request lacks, and the entry that was used for it. */
export interface FactQuestion {
  readonly rule: object
  readonly unknown: Named
  entry: object | null
}

/** A basis that did without a field that was not sent, as `reason` says. */
export interface FallbackQuestion {
  readonly fallback: Fact
  readonly reason: string
}

export type Question = FactQuestion | FallbackQuestion

/** Values taken for what was not sent, while one rule is being evaluated. */
export interface Overlay {
  readonly facts: Set<number>
  readonly classes: Map<number, Truth>
  readonly zones: Map<number, number>
  /** By basis slot, once computed with all that was taken so far. */
  readonly bases: Map<number, Notes & { readonly value: Exact }>
}

/** All that changes while one request is priced. */
export interface State {
  /** By FACT_INDEX: enumerated words by code, booleans 0 or 1, dates `yyyymmdd`, money cents; NaN where not known. */
  readonly facts: number[]
  /** The day whose rates apply, `yyyymmdd`. */
  readonly day: number
  /** The day that was asked for, on which the vehicle has its age; after `day` where earlier rates stand in. */
  readonly ageDay: number
  /** The last day on which the vehicle can have been made or registered: a used one was both before it is bought. */
  readonly latestDay: number
  readonly lines: readonly RequestLine[]
  /** Cents by component slot; 0 where there is no line. */
  readonly cents: number[]
  /** By component slot: why it has no price. */
  readonly unpriced: (UnpricedComponent | undefined)[]
  /** By basis slot, once computed without any assumption. */
  readonly bases: ((Notes & { value: Exact }) | undefined)[]
  readonly concession: Adjustments | null
  /** Cents of a component if only these lines were sold, or why it has no price. */
  readonly alone: (component: string, lines: readonly RequestLine[], state: State) => number | UnpricedComponent
  overlay: Overlay | null
  /** What the component being priced reads and the request lacks; null where nothing is lacking. */
  questions: Question[] | null
  /** Set where nobody reads what is said. */
  silent: boolean
  /** Whether facts that are not known may have been sent: of a kind of vehicle, never of a request. */
  readonly isOpen: boolean
  /** The open notes: what is noted of the figure that is being computed. */
  notes: Notes
  /** The grade that the table row in use gives; -1 where none. */
  stated: number
  trace: Trace | null
  /** By rule: what its basis came to; kept only where a target is solved for. */
  readings: Map<object, Exact | null> | null
  readonly messages: Messages
}

/** What is said of a quote beside its lines. */
export interface Messages {
  readonly warnings: string[]
  readonly assumptions: Assumption[]
  readonly unpriced: UnpricedComponent[]
}

/** What the claimed concession changes: adjustments by component slot and by basis slot. */
export interface Adjustments {
  readonly type: string
  readonly components: readonly (readonly Adjust[] | undefined)[]
  readonly bases: readonly (readonly Adjust[] | undefined)[]
}

/** One adjustment of a concession; `factor` is the line's term factor. */
export interface Adjust extends Notes {
  readonly from: number
  readonly to: number
  readonly when: Test | null
  readonly apply: (amount: Exact, state: State, factor: Exact) => Exact
  /** What stands in place of the figure, if the amount is set: one amount for every term, or one for a year. */
  readonly sets: 'amount' | 'perTerm' | null
}

// Not frozen: a copy of a frozen array boxes every number.
const NOTHING_KNOWN: number[] = FACTS.map(() => NaN)

/** Facts of which none is known. */
export const noFacts = (): number[] => NOTHING_KNOWN.slice()

/** Opens empty notes for the next figure, and returns the notes that were open until now, for `closeNotes`. */
export function openNotes(state: State): Notes {
  const outer = state.notes
  state.notes = { evidence: 0, warnings: NO_WARNINGS }
  return outer
}

/** Returns what was noted since `openNotes`, and opens the outer notes again. */
export function closeNotes(state: State, outer: Notes): Notes {
  const { notes } = state
  state.notes = outer
  return notes
}

/** Adds a grade and warnings to the open notes. */
export function note(state: State, evidence: number, warnings: readonly string[]): void {
  const notes = state.notes
  if (evidence > notes.evidence) notes.evidence = evidence
  if (warnings.length > 0) notes.warnings = notes.warnings.length > 0 ? [...notes.warnings, ...warnings] : warnings
}

/** Says a warning once. */
export function warn(state: State, text: string): void {
  if (!state.messages.warnings.includes(text)) state.messages.warnings.push(text)
}

/** Records what was taken for the field at a path of the request, once for each reason and component. */
export function record(state: State, assumption: Assumption): void {
  const { path, reason, component } = assumption
  const { assumptions } = state.messages
  for (const known of assumptions) {
    if (known.path === path && known.reason === reason && known.component === component) return
  }
  assumptions.push(assumption)
}

/**
 * Says of a component's line what no field of the request would settle, and records the cents it is priced at, null where
 * it is not; a reason that is recorded with a field already has its twin.
 */
export function warnOfLine(state: State, about: Omit<Assumption, 'path'> & { component: string; path?: string }): void {
  warn(state, about.reason)
  const { assumptions } = state.messages
  for (const known of assumptions) {
    if (known.reason === about.reason && known.component === about.component) return
  }
  const { kind, path = '', component, assumed, reason } = about
  assumptions.push({ kind, path, component, assumed, reason })
}
