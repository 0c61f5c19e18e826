import type { Condition } from '../engine/grammar/condition.ts'
import type { ConditionParts } from './condition-words.ts'
import type { Range } from './ranges.ts'

/** One thing that a set says: what of it, recognised by a key, and how much or what, in words. */
export interface Said {
  key: string
  label: string
  value: string
  /** A figure; else what decides which figure applies, or what it rests on. */
  about: 'figure' | 'terms' | 'evidence'
  /** The label without the words of the case that says it, and of the rule; absent where there are none. */
  what?: string
  /** The rule and the case that say it, each by its condition; absent where there is only one. */
  titles?: readonly Title[]
  /** Of a label that begins with the range of its place: what follows the range. */
  afterRange?: string
  /** Of a value that is a list: its parts. */
  parts?: readonly string[]
  /** Of an outcome, which says why nothing is charged: what stands in the place of an amount. */
  brief?: string
  /** Of a condition: its parts. */
  condition?: ConditionParts
  /** Where it stands, within the part that says it. */
  path?: string
  /** The figure as data, where it is one number. */
  figure?: TypedFigure | undefined
  /** What a reader is told in place of the label and the value. */
  told?: { label: string; value: string; what?: string }
  /** The case of a rule that says it, in words; absent where the rule has only one. */
  case?: string
  /** Whether another case says it, under which falls what this one applied to. */
  isOfOther?: true
  /** The parts of lists that it stands in, the outermost first. */
  places?: readonly Place[]
  /** The names of the parts of a list, of which only the order is said. */
  order?: { list: string; names: readonly string[] }
  /**
   * The condition of a case, which begins and ends with the case; the order of the parts of a list; what each rule has; or
   * where a band or row ends. The last three are told only where the part is there before and after.
   */
  role?: 'condition' | 'order' | 'attribute' | 'edge'
}

/** How a rule or a case is called: by its condition, and without one as what is left. */
export interface Title {
  words: string
  condition?: ConditionParts
  /** Whether it stands behind what it is the title of: `amount, unless taxi`. */
  isBehind?: true
}

/**
 * A part of a list: a rule, a case, a band, a row, an adjustment. It is recognised by what it says of itself, because a part
 * that is inserted moves all that follow.
 */
export interface Place {
  /** `rules`, `cases`, `bands`. */
  list: string
  /** No other part of the list has it: a condition, an upper end. */
  name: string
  /** What stays of a part where figures of its name change. */
  shape: string
  range?: Range
  /** Of a rule or a case: when it applies. */
  when?: Condition
}

/** One number with its unit; exact decimals. */
export interface TypedFigure {
  unit: 'cents' | 'percent' | 'number'
  value: string
  /** What a rate is for: so many cents of the basis, or so much of a fact. */
  per?: RatePer
  /** Whole cents that stand on the line of a quote, where the figure alone makes the line. */
  charged?: { cents: string; months?: number }
}

/** What a rate is for; `part`: how a part of the amount counts, where the set chooses that. */
export interface RatePer {
  amount: string
  of: string
  part?: 'up' | 'down' | 'prorata'
}

/** Why nothing is said of a key: it is only words, it says on which days the others hold, or it is what they are said of. */
type Unsaid = 'words' | 'days' | 'subject'

/**
 * What is left of an object when every key was taken out by name: only what is named here. A key that the grammar gains,
 * and that nobody says anything of, is an error of types at each call.
 */
export const allSaid = <Rest extends object>(_rest: Rest, _unsaid: Readonly<Record<keyof Rest, Unsaid>>): void =>
  undefined

/** A figure that a set says under a key, which is also where it stands. */
export const figure = (key: string, label: string, value: string, typed?: TypedFigure): Said => ({
  key,
  label,
  value,
  about: 'figure',
  path: key,
  figure: typed,
})

/** Places in a list, no two of one name: of several parts of one name, each is called by all that it says. */
export const placesOf = <T>(parts: readonly T[], place: (part: T, at: number) => Place): Place[] => {
  const all = parts.map(place)
  const isOnly = (one: Place) => all.filter(({ name }) => name === one.name).length === 1
  const full = all.map((one, at) => (isOnly(one) ? one : { ...one, name: `${one.name} ${JSON.stringify(parts[at])}` }))
  return full.map((one, at) => {
    const nth = full.slice(0, at).filter(({ name }) => name === one.name).length
    return nth === 0 ? one : { ...one, name: `${one.name}#${nth}` }
  })
}

/** In which order the parts of a list stand, each in words. */
export const orderStatement = (label: string, words: readonly string[], places: readonly Place[]): Said => {
  const list = places[0]?.list ?? ''
  const order = { list, names: places.map(({ name }) => name) }
  return {
    key: `order of ${list}`,
    label,
    value: words.join(' | '),
    parts: words,
    about: 'terms',
    role: 'order',
    order,
  }
}

/** Statements of a part of a list. */
export const inPlace = <S extends Said>(place: Place, said: readonly S[]): S[] =>
  said.map((one) => ({ ...one, places: [place, ...(one.places ?? [])] }))

/** A label with its titles, the outermost first. */
export const labelled = (titles: readonly Title[], label: string): string =>
  titles.reduceRight((all, { words, isBehind }) => (isBehind ? `${all}, ${words}` : `${words}: ${all}`), label)

/** The same statements of a case, which their labels name. */
export const titled = <S extends Said>(title: Title | undefined, said: readonly S[]): S[] =>
  title === undefined ? [...said] : withTitle(title, said).map((one) => ({ ...one, case: title.words }))

/** The same statements with a title before their labels and their cases; nothing is put before where there is none. */
export function withTitle<S extends Said>(title: Title | undefined, said: readonly S[]): S[] {
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
