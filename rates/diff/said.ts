import type { Exact } from '../engine/exact.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import type { ConditionParts } from './condition-words.ts'
import type { Range } from './ranges.ts'
import type { Vocabulary } from './vocabulary.ts'

/** One statement of a set: a key that identifies its subject, and the value in words. */
export interface WordedStatement {
  key: string
  label: string
  value: string
  /** A figure; otherwise what decides which figure applies, or the evidence of a figure. */
  about: 'figure' | 'terms' | 'evidence'
  /** The label without the words of the case and of the rule; absent when the label has none. */
  what?: string
  /** The rule and the case of the statement, each by its condition; absent when there is only one. */
  titles?: readonly Title[]
  /** For a label that begins with the range of its place: the rest of the label. */
  afterRange?: string
  /** For a value that is a list: its parts. */
  parts?: readonly string[]
  /** The parameters whose values are amounts in the statement; absent when an amount is written in another way. */
  parameters?: readonly string[]
  /** For an outcome, which says why nothing is charged: its short form in place of an amount. */
  brief?: string
  /** For an outcome: its kind, without the reason. */
  outcome?: string
  /** For a condition: its parts. */
  condition?: ConditionParts
  /** Its path within the part that states it. */
  path?: string
  /** The figure as data, when it is one number. */
  figure?: TypedFigure | undefined
  /** For an amount that is not the line of a quote as it is written: the line, and how it is computed. */
  line?: ComputedLine
  /** For a rate that rises with the amount: what it charges on some amounts. */
  samples?: readonly Sample[]
  /** For such a rate: its words without the rounding, and the rounding. */
  rising?: { rate: string; rounded: string }
  /** For the condition of a case that ends at an amount: the amount, and the charges on both sides of it. */
  threshold?: Threshold
  /** For the end of a band: the amount, and the line on any amount. */
  end?: Pick<Threshold, 'edge' | 'lineOn'>
  /** What a reader sees in place of label and value. */
  told?: { label: string; value: string; what?: string }
  /** The case of the rule that states it, in words; absent when the rule has only one. */
  case?: string
  /** Whether it is of another case, which covers what the case in question applied to. */
  isOfOther?: true
  /** The zone in which the postcodes of the zone in question were, in words, when it is of that zone. */
  formerZone?: string
  /** Cents of the line for the terms other than the usual one. */
  otherTerms?: readonly { months: number; cents: string }[]
  /** The parts of lists that contain the statement, outermost first. */
  places?: readonly Place[]
  /** The names of the parts of a list, for a statement about their order. */
  order?: { list: string; names: readonly string[] }
  /**
   * `condition`: of a case, it begins and ends with the case. `order`: of the parts of a list. `attribute`: of every
   * rule. `edge`: where a band or row ends. The last three are reported only when the part exists before and after.
   */
  role?: 'condition' | 'order' | 'attribute' | 'edge'
}

/** An amount up to which a case applies. */
export interface Threshold {
  /** What the amount is of, in words. */
  of: string
  /** Cents, an exact decimal. */
  edge: string
  /** The charge up to the amount, and that above it, in words. */
  below: string
  above: string
  /** The amount, in words, up to which that charge applies; absent without one. */
  aboveTo?: string
  /** Vehicles of the case that do not bear the charge above the amount. */
  unless: readonly string[]
  /** Cents of the line on some cents; undefined when more determines the line. */
  lineOn: (amount: Exact) => string | undefined
}

/** The amount of a line of a quote, and its computation in words: `20.42 × fee unit at $17.27 is $352.6534, rounded …`. */
export interface ComputedLine {
  amount: string
  how: string
}

/** The title of a rule or a case: its condition, or words for the remaining vehicles when it has none. */
export interface Title {
  words: string
  condition?: ConditionParts
  /** Whether the title follows what it is the title of: `amount, unless taxi`. */
  isBehind?: true
}

/**
 * A part of a list: a rule, a case, a band, a row, an adjustment. It is identified by its content, because an inserted
 * part moves the positions of all that follow.
 */
export interface Place {
  /** `rules`, `cases`, `bands`. */
  list: string
  /** A name that no other part of the list has: a condition, an upper end. */
  name: string
  /** The part of the name that stays the same when figures change. */
  shape: string
  range?: Range
  /** For a row of a zone: the zone and its list. */
  zone?: { list: string; name: string }
  /** For a rule or a case: when it applies. */
  when?: Condition
}

/** A charge on an amount, both in cents. */
export interface Sample {
  of: number
  cents: number
}

/** One number with its unit; exact decimals. */
export interface TypedFigure {
  unit: 'cents' | 'percent' | 'number'
  value: string
  /** The unit that a rate is for: cents of the basis, or an amount of a fact. */
  per?: RatePer
  /** Whole cents of the line of a quote, when the figure alone determines the line. */
  charged?: { cents: string; months?: number }
}

/** The unit that a rate is for; `part` says how a part of the unit counts, when the set chooses that. */
export interface RatePer {
  amount: string
  of: string
  part?: 'up' | 'down' | 'prorata'
}

/**
 * Why a key has no statement: it is only text, it gives the days on which other statements apply, or it is the subject
 * of the other statements.
 */
type Unsaid = 'words' | 'days' | 'subject'

/**
 * Checks that every key of an object has been handled: `_rest` must have only the keys named in `_unsaid`. A key that
 * is added to the grammar and not handled is then a type error at each call.
 */
export const allSaid = <Rest extends object>(_rest: Rest, _unsaid: Readonly<Record<keyof Rest, Unsaid>>): void =>
  undefined

/** A figure of a set under a key, which is also its path. */
export const figure = (key: string, label: string, value: string, typed?: TypedFigure): WordedStatement => ({
  key,
  label,
  value,
  about: 'figure',
  path: key,
  figure: typed,
})

/** Places in a list, with unique names: when several parts have one name, each is named by all of its content. */
export const placesOf = <T>(parts: readonly T[], place: (part: T, at: number) => Place): Place[] => {
  const all = parts.map(place)
  const isOnly = (one: Place) => all.filter(({ name }) => name === one.name).length === 1
  const full = all.map((one, at) => (isOnly(one) ? one : { ...one, name: `${one.name} ${JSON.stringify(parts[at])}` }))
  return full.map((one, at) => {
    const nth = full.slice(0, at).filter(({ name }) => name === one.name).length
    return nth === 0 ? one : { ...one, name: `${one.name}#${nth}` }
  })
}

/** The order of the parts of a list, each in words. */
export const orderStatement = (
  label: string,
  words: readonly string[],
  places: readonly Place[],
  { order: inOrder }: Pick<Vocabulary, 'order'>,
): WordedStatement => {
  const list = places[0]?.list ?? ''
  const order = { list, names: places.map(({ name }) => name) }
  return {
    key: `order of ${list}`,
    label,
    value: inOrder(words),
    parts: words,
    about: 'terms',
    role: 'order',
    order,
  }
}

/** The statements of a part of a list, with its place. */
export const inPlace = <S extends WordedStatement>(place: Place, said: readonly S[]): S[] =>
  said.map((one) => ({ ...one, places: [place, ...(one.places ?? [])] }))

/** A label with its titles, outermost first. */
export const labelled = (titles: readonly Title[], label: string): string =>
  titles.reduceRight((all, { words, isBehind }) => (isBehind ? `${all}, ${words}` : `${words}: ${all}`), label)

/** Statements of a case, with the case named in their labels. */
export const titled = <S extends WordedStatement>(title: Title | undefined, said: readonly S[]): S[] =>
  title === undefined ? [...said] : withTitle(title, said).map((one) => ({ ...one, case: title.words }))

/** Statements with a title in front of their labels and cases; unchanged without a title. */
export function withTitle<S extends WordedStatement>(title: Title | undefined, said: readonly S[]): S[] {
  if (title === undefined) return [...said]
  const before = (label: string) => labelled([title], label)
  return said.map((one) => ({
    ...one,
    label: before(one.label),
    what: one.what ?? one.label,
    titles: [title, ...(one.titles ?? [])],
    ...(one.told && { told: { what: one.told.label, ...one.told, label: before(one.told.label) } }),
    ...(one.case !== undefined && { case: before(one.case) }),
  }))
}
