import type { FigureChange } from './figure-change.ts'
import { LIMITS } from './outcomes.ts'
import { FOR_A_YEAR } from './vocabulary.ts'

const LONGEST = 160

/** Old and new of a change; for two long texts only the parts that differ, in order. */
export function oldAndNew(change: FigureChange): [string, string] {
  const { old, new: now } = change
  if (old === null) return [notBefore(change), now ?? 'no longer']
  if (now === null) return [old, notAfter(change, 'no longer')]
  if (change.key === 'adjusted' && change.parts) return wholeAdjustments(change.parts)
  if (change.otherCases || old.length + now.length < LONGEST) return [old, now]
  return change.parts ? differingParts(change.parts) : whereDiffering(old, now)
}

/** The words for a figure or an outcome that is new in a component with other amounts. */
const NOT_BEFORE = { figure: 'no amount before', outcome: 'new', other: 'new' }

/** The old side of a change without an old statement; "not priced" only when the component had no amount at all. */
export function notBefore(change: FigureChange, words = NOT_BEFORE): string {
  const { kind, isFirst, about, key = '' } = change
  if (isOff(change)) return 'was to end'
  if (kind === 'concession') return about === 'figure' ? 'no reduction before' : words.other
  if (kind !== 'rule') return words.other
  if (isFirst) return 'not priced before'
  if (key === 'outcome') return words.outcome
  return about === 'figure' && !LIMITS.has(key) ? words.figure : words.other
}

/** The new side of a change without a new statement; `words` say that it ends. */
export function notAfter(change: FigureChange, words: string): string {
  if (!isOff(change)) return words
  return change.course === 'postponed' ? 'not yet' : 'does not begin'
}

/** Whether an announced beginning or end is postponed or cancelled. A past one took place. */
const isOff = ({ course, correction }: FigureChange): boolean =>
  correction !== true && (course === 'postponed' || course === 'cancelled')

/**
 * Both adjustments of a concession with their amounts and how these count for other terms: an amount is not told by what
 * else differs. The condition is said once, if it stays the same.
 */
function wholeAdjustments([were, are]: NonNullable<FigureChange['parts']>): [string, string] {
  const [was, is] = [adjustmentOf(were), adjustmentOf(are)]
  const isOfTerms = [was, is].map(({ terms }) => terms.some((part) => part.startsWith(FOR_A_YEAR)))
  const other = isOfTerms[0] ? is : was
  // A percentage follows the amount of each term anyway.
  if (isOfTerms[0] !== isOfTerms[1] && !other.terms[0]?.includes(' % ')) other.terms.push('whatever the term')
  const [old, now] =
    was.condition === is.condition
      ? ['', is.condition]
      : whereDiffering(was.condition || ALWAYS, is.condition || ALWAYS)
  const text = (...parts: string[]) => parts.filter((part) => part !== '').join(', ')
  return [text(...was.terms, old), text(...is.terms, now)]
}

/** What an adjustment without a condition says where the other has one. */
const ALWAYS = 'without a condition'

function adjustmentOf(parts: readonly string[]): { terms: string[]; condition: string } {
  const [condition = ''] = parts.filter((part) => part.startsWith('where '))
  return { terms: parts.filter((part) => part !== condition), condition }
}

/**
 * The differences between two long texts: the parts between a common beginning and end, or, for lists of many parts,
 * the parts that differ.
 */
function differingParts([were, are]: NonNullable<FigureChange['parts']>): [string, string] {
  const start = sameAtStart(were, are)
  const end = sameAtStart(were.slice(start).toReversed(), are.slice(start).toReversed())
  const [gone, come] = [were.slice(start, were.length - end), are.slice(start, are.length - end)]
  if (gone.join().length + come.join().length < LONGEST) return inWords(gone, come)
  const kept = commonParts(gone, come)
  const [lost, gained] = [without(gone, kept), without(come, kept)]
  // The lists have the same parts in another order.
  return lost.join() === gained.join() ? inWords(gone, come) : inWords(lost, gained)
}

function sameAtStart(were: readonly string[], are: readonly string[]): number {
  const at = were.findIndex((part, position) => part !== are[position])
  return at === -1 ? Math.min(were.length, are.length) : at
}

/** The longest list of parts that both have in the same order. */
function commonParts(were: readonly string[], are: readonly string[]): string[] {
  let longest = are.map((): string[] => [])
  for (const part of were) {
    const before = longest
    longest = []
    for (const [at, other] of are.entries()) {
      const found = part === other ? [...(before[at - 1] ?? []), part] : before[at]!
      const last = longest[at - 1] ?? []
      longest.push(last.length > found.length ? last : found)
    }
  }
  return longest.at(-1) ?? []
}

/** A list without the parts of another list, which appear in it in the same order. */
function without(parts: readonly string[], others: readonly string[]): string[] {
  let next = 0
  return parts.filter((part) => part !== others[next] || !(next += 1))
}

function inWords(gone: readonly string[], come: readonly string[]): [string, string] {
  const [were, are] = [gone.join(', '), come.join(', ')]
  if (were === '' || are === '') return [withWords(were), withWords(are)]
  const [old, now] = whereDiffering(were, are)
  return [withWords(old), withWords(now)]
}

/** Two long texts; from their first difference on, when it comes too late to be shown otherwise. */
function whereDiffering(were: string, are: string): [string, string] {
  if (short(were) !== short(are)) return [short(were), short(are)]
  const start = Math.max(0, sameAtStart([...were], [...are]) - SHOWN_BEFORE)
  return [short(`…${were.slice(start)}`), short(`…${are.slice(start)}`)]
}

/** Characters shown before the first difference. */
const SHOWN_BEFORE = 20

function withWords(words: string): string {
  if (words === '') return 'without'
  return words.startsWith('where ') ? short(words) : `with ${short(words)}`
}

/** A text shortened to fit a line of a table. */
export const short = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
