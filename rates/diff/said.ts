import type { Units } from '../engine/grammar/charge.ts'

/** One thing that a set says: what of it, recognised by a key, and how much or what, in words. */
export interface Said {
  key: string
  label: string
  value: string
  /** A figure; else what decides which figure applies, or what it rests on. */
  about: 'figure' | 'terms' | 'evidence'
  /** Where it stands, within the part that says it. */
  path?: string
  /** The figure as data, where it is one number. */
  figure?: TypedFigure | undefined
  /** What a reader is told in place of the label and the value. */
  told?: { label: string; value: string }
  /** The case of a rule that says it, in words; absent where the rule has only one. */
  case?: string
  /** The condition of a case, which begins and ends with the case, or the order of all cases of a rule. */
  role?: 'condition' | 'order'
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
  part?: Units['part']
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
  ...{ key, label, value, about: 'figure', path: key },
  figure: typed,
})

/** The same statements of a case, which their labels name. */
export const titled = (title: string, said: readonly Said[]): Said[] =>
  title === '' ? [...said] : said.map((one) => ({ ...withTitle(title, one), case: title }))

function withTitle(title: string, { told, ...one }: Said): Said {
  const label = `${title}: ${one.label}`
  return told ? { ...one, label, told: { ...told, label: `${title}: ${told.label}` } } : { ...one, label }
}
