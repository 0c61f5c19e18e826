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

/** Whether the number of a fact stands for "not sent": NaN, the only number that does not equal itself. */
export const isUnknown = (value: number | undefined): boolean => value !== value

/** Position of each fact in `State.facts`. */
export const FACT_INDEX = Object.freeze(Object.fromEntries(FACTS.map((fact, index) => [fact, index]))) as Record<
  Fact,
  number
>

const ENUM_CODES = new Map<string, Map<string, number>>(
  Object.entries(ENUM_FACTS).map(([fact, words]) => [fact, new Map(words.map((word, code) => [word, code]))]),
)

/** A bit that is set in no list of words, for a word that the grammar does not know. */
export const NO_WORD = 30

/** The number of each word of an enumerated fact. */
export const codesOf = (fact: EnumFact): ReadonlyMap<string, number> =>
  ENUM_CODES.get(fact) ?? new Map<string, number>()

/** Number of a word of an enumerated fact. */
export const codeOf = (fact: EnumFact, word: string): number => codesOf(fact).get(word) ?? NO_WORD

/** Something unknown that prevents an answer. */
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
 * A compiled test; `blame` lists what makes it UNKNOWN, in file order. A test on a basis computes the basis, which adds
 * the grades and warnings of the basis to the open notes of the state.
 */
export interface Test {
  readonly holds: (state: State) => Truth
  readonly blame: (state: State, unknowns: Unknown[]) => void
}

/**
 * A compiled amount in cents; null when it is unknown, and then `blame` says why. Computing writes to the state: the
 * grades and warnings on which the amount rests go to the open notes (`openNotes`), the steps to the trace.
 */
export interface Figure {
  readonly computeAndNote: (state: State) => Exact | null
  readonly blame: (state: State, unknowns: Unknown[]) => void
}

/** How far a figure can be trusted, and the warnings about it. */
export interface Notes {
  /** The weakest grade so far, as a number of grade.ts. */
  evidence: number
  warnings: readonly string[]
  /** Set when a concession has set the amount: the figure and its term then no longer count. */
  isSet?: boolean
}

export const NO_WARNINGS: readonly string[] = Object.freeze([])

/** How a line was computed; filled in only on request. */
export interface Trace {
  basis?: { name: string; amount: Exact }
  step?: string
  unrounded?: Exact
  round?: { toCents: string; mode: string }
  term?: { months: number; factor: string }
  concession?: string
  account: AccountStep[]
}

/** Something unknown that has a name, so that an entry can be about it. */
export type Named = Exclude<Unknown, { kind: 'unpriced' }>

/** A fact, class or zone that a rule reads and the request lacks, with the entry that was used for it. */
export interface FactQuestion {
  readonly rule: object
  readonly unknown: Named
  entry: object | null
}

/** A basis that used another case because a field was not sent; `reason` says which. */
export interface FallbackQuestion {
  readonly fallback: Fact
  readonly reason: string
}

export type Question = FactQuestion | FallbackQuestion

/** Values assumed for what was not sent, while one rule is being evaluated. */
export interface Overlay {
  readonly facts: Set<number>
  readonly classes: Map<number, Truth>
  readonly zones: Map<number, number>
  /** By basis slot: the basis computed with all that was assumed so far. */
  readonly bases: Map<number, Notes & { readonly value: Exact }>
}

/** The rule and the case that price a component, and what is assumed for the rule. */
export interface Decided {
  readonly rule: object
  readonly at: object
  readonly overlay: Overlay | null
  /** The assumed facts: position and value. */
  readonly facts: readonly (readonly [number, number])[]
}

/** Everything that changes while one request is priced. */
export interface State {
  /**
   * By FACT_INDEX: code of an enumerated word, 0 or 1 for a boolean, date as `yyyymmdd`, money in cents; NaN when
   * unknown.
   */
  readonly facts: number[]
  /** The day whose rates apply, `yyyymmdd`. */
  readonly day: number
  /** The requested day, on which the age of the vehicle is computed; later than `day` when earlier rates stand in. */
  readonly ageDay: number
  /**
   * The last day on which the vehicle can have been made or registered: both precede the purchase of a used vehicle.
   */
  readonly latestDay: number
  readonly lines: readonly RequestLine[]
  /** Cents by component slot; 0 where there is no line. */
  readonly cents: number[]
  /** By component slot: why it has no price. */
  readonly unpriced: (UnpricedComponent | undefined)[]
  /** By basis slot: the basis computed without any assumption. */
  readonly bases: ((Notes & { value: Exact }) | undefined)[]
  readonly concession: Adjustments | null
  /** Cents of a component if only these lines were sold, or why the component has no price. */
  readonly alone: (component: string, lines: readonly RequestLine[], state: State) => number | UnpricedComponent
  overlay: Overlay | null
  /** What the current component reads and the request lacks; null when nothing is lacking. */
  questions: Question[] | null
  /** Set when nobody reads the messages. */
  silent: boolean
  /** Whether unknown facts may have been sent: true when a kind of vehicle is described, false for a request. */
  readonly isOpen: boolean
  /** The open notes, which collect what is noted of the figure being computed. */
  notes: Notes
  /** The grade that the table row in use states; -1 for none. */
  stated: number
  trace: Trace | null
  /** The value of the basis by rule; kept only while solving for a target. */
  readings: Map<object, Exact | null> | null
  /** What priced the current component; kept only while readings are. */
  decided: Decided | null
  readonly messages: Messages
}

/** The messages of a quote apart from its lines. */
export interface Messages {
  readonly warnings: string[]
  readonly assumptions: Assumption[]
  readonly unpriced: UnpricedComponent[]
}

/** The adjustments of the claimed concession, by component slot and by basis slot. */
export interface Adjustments {
  readonly type: string
  readonly components: readonly (readonly Adjust[] | undefined)[]
  readonly bases: readonly (readonly Adjust[] | undefined)[]
}

/** One adjustment of a concession; `factor` is the factor of the line's term. */
export interface Adjust extends Notes {
  readonly from: number
  readonly to: number
  readonly when: Test | null
  readonly apply: (amount: Exact, state: State, factor: Exact) => Exact
  /** What replaces the figure, when the amount is set: one amount for every term, or an annual amount. */
  readonly sets: 'amount' | 'perTerm' | null
}

// Not frozen, because copying a frozen array boxes every number.
const NOTHING_KNOWN: number[] = FACTS.map(() => NaN)

/** The facts when none of them is known. */
export const noFacts = (): number[] => NOTHING_KNOWN.slice()

/** Opens empty notes for the next figure. Returns the notes that were open until now, for `closeNotes`. */
export function openNotes(state: State): Notes {
  const outer = state.notes
  state.notes = { evidence: 0, warnings: NO_WARNINGS }
  return outer
}

/** Returns the notes since `openNotes`, and reopens the outer notes. */
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

/** Adds a warning, once. */
export function warn(state: State, text: string): void {
  if (!state.messages.warnings.includes(text)) state.messages.warnings.push(text)
}

/** Records an assumption about the field at a path of the request, once for each reason and component. */
export function record(state: State, assumption: Assumption): void {
  const { path, reason, component } = assumption
  const { assumptions } = state.messages
  for (const known of assumptions) {
    if (known.path === path && known.reason === reason && known.component === component) return
  }
  assumptions.push(assumption)
}

/**
 * Warns about a component's line where no field of the request would settle the matter, and records the cents of the
 * line, or null without a price. A reason already recorded with a field is not recorded again.
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
