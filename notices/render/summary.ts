import type { Notice } from '../notice.ts'
import type { Section } from './sections.ts'
import { dayWords, listWords, oneLine, partWords, timeWords, yearWords } from './words.ts'

/** What changes, where, and from when. */
export function subjectOf(sections: readonly Section[], { replaces }: Notice): string {
  if (sections.length === 0) return oneLine(`Taken back: notice ${replaces?.number} of a change of rates`)
  const [only] = sections
  if (sections.length === 1 && only!.parts.length === 0 && only!.sets.length > 0) return oneLine(setWords(only!)[0]!)
  const corrections = sections.filter(({ correction }) => correction).length
  const mixed = corrections > 0 && corrections < sections.length ? ', with corrections' : ''
  return oneLine(`${namesOf(sections)}: ${whatOf(sections)} ${verbOf(sections)} ${dayOf(sections)}${mixed}`)
}

/** What the reader is told first: what changes, and what to do. */
export function opening(notice: Notice, sections: readonly Section[]): string {
  const { displayName, client } = notice
  const isAhead = sections.some(({ correction }) => !correction)
  const days = new Set(sections.map(({ from }) => from))
  const todo = isAhead
    ? ` Re-issue quotes for vehicles registered on or after ${days.size > 1 ? 'the day that is named for each' : 'that day'}.`
    : ''
  return (
    `${displayName ?? client}: ${whatOf(sections)} in ${namesOf(sections)} ${verbOf(sections)} ${dayOf(sections)}. ` +
    `Quotes from our service change automatically.${todo}`
  )
}

/** What a section that reaches days already past means for quotes. */
export function correctionWords({ from, parts, sets }: Section, { issuedAt }: Notice): string {
  const changes = [...sets, ...parts.flatMap((part) => part.changes)].filter((one) => one.correction)
  const until =
    changes
      .map((one) => one.until ?? '9999')
      .sort()
      .at(-1) ?? '9999'
  if (issuedAt !== undefined && until < issuedAt.slice(0, 10)) {
    return `This corrects amounts of past days, ${dayWords(from)} to ${dayWords(until)}. Quotes already given for these days may be wrong.`
  }
  return (
    `This corrects amounts in use since ${dayWords(from)} and applies to new quotes from today. ` +
    'Quotes already given may be wrong.'
  )
}

/** What becomes of whole rate sets. */
export const setWords = ({ name, sets }: Section): string[] =>
  sets.map(({ label, new: now, from, until }) => {
    const year = `${name} ${yearWords(label)}`
    if (now === null) return `${year} can no longer be quoted.`
    return `${year} can now be quoted, from ${dayWords(from)}${until === undefined ? '' : ` to ${dayWords(until)}`}.`
  })

/** What a notice says of the one that it replaces; undefined where there is none. */
export function replacementWords({ replaces, changes }: Notice): string | undefined {
  if (!replaces) return undefined
  const which = `notice ${replaces.number} of ${timeWords(replaces.issuedAt)}, whether or not it reached you`
  if (changes.length === 0) return `This takes back ${which}: the rates stay as they were before it.`
  return `This replaces ${which}.`
}

/** Lines of the summary; the page with everything has the rest. */
const LINES = 40

/** One line for each jurisdiction and day. */
export function summaryLines(sections: readonly Section[]): string[] {
  const lines = sections.slice(0, LINES).map((section) => {
    const { name, from, parts, sets, more } = section
    const count = parts.reduce((sum, { changes }) => sum + changes.length, 0) + more
    const what = [...setWords(section), ...(count > 0 ? [`${whatOf([section])} (${counted(count)})`] : [])].join(' ')
    return sets.length > 0 && count === 0 ? what : `${name}, from ${dayWords(from)}: ${what}`
  })
  const rest = sections.slice(LINES)
  const count = rest.reduce((sum, { parts, more }) => sum + parts.reduce((n, p) => n + p.changes.length, more), 0)
  return rest.length === 0 ? lines : [...lines, `and ${counted(count)} of ${rest.length} more jurisdictions and days`]
}

const counted = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`

const namesOf = (sections: readonly Section[]): string =>
  listWords([...new Set(sections.map(({ name }) => name))].sort())

/** `amounts for stamp duty and CTP`; `rates` where only what decides which of them applies changes. */
function whatOf(sections: readonly Section[]): string {
  const parts = sections.flatMap((section) => section.parts).filter(({ kind }) => kind === 'rule')
  const words = [...new Set(parts.map((part) => lower(partWords(part))))]
  return words.length === 0 ? 'rates' : `amounts for ${listWords(words)}`
}

const lower = (word: string) => (word === word.toUpperCase() ? word : word[0]!.toLowerCase() + word.slice(1))

function verbOf(sections: readonly Section[]): string {
  return sections.every(({ correction }) => correction) ? 'are corrected from' : 'change from'
}

function dayOf(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ from }) => from))].sort()
  return `${dayWords(days[0]!)}${days.length > 1 ? ' on' : ''}`
}
