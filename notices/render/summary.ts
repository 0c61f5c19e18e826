import type { FigureChange } from '#rates/diff/figure-change.ts'
import { dayAfter } from '#rates/engine/dates.ts'
import { isFirstPublished, isPublishedAgain } from '#rates/diff/whole-sets.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import type { Notice } from '../notice.ts'
import { dayWords } from '../day-words.ts'
import { constantWords } from '../reader-words.ts'
import { partWords } from './names.ts'
import type { Part, Section } from './sections.ts'
import { listWords, oneLine, timeWords, yearWords } from './words.ts'

/** What changes, where, and from when. */
export function subjectOf(sections: readonly Section[], { replaces }: Notice): string {
  if (sections.length === 0) return oneLine(`Taken back: notice ${replaces?.number} of a change of rates`)
  const [only] = sections
  if (sections.length === 1 && isOfSets(only!)) return oneLine(setNews(only!)[0]!)
  const sets = sections.flatMap(quotableNews)
  if (sets.length > 0) return oneLine([...sets, ...otherWords(sections)].join('; '))
  return oneLine(changing(sections))
}

/** The changes other than sets that can no longer, or again, be quoted. */
function otherWords(sections: readonly Section[]): string[] {
  const others = sections.filter(({ parts, more }) => parts.length + more > 0)
  return others.length === 0 ? [] : [changing(others)]
}

function changing(sections: readonly Section[]): string {
  const corrections = sections.filter(({ correction }) => correction).length
  const mixed = corrections > 0 && corrections < sections.length ? ', with corrections' : ''
  return `${namesOf(sections)}: ${happening(sections)}${mixed}`
}

/** The opening of the mail: what changes and what to do. */
export function opening({ displayName, client }: Notice, sections: readonly Section[]): string {
  const who = displayName ?? client
  const refused = sections.some(isWithdrawing) ? ` ${NO_QUOTES}` : ''
  if (sections.every(isOfSets)) return `${who}: ${sections.flatMap(setWords).join(' ')}${refused}`
  const sets = sections
    .flatMap(quotableNews)
    .map((words) => `${words}. `)
    .join('')
  const others = sections.filter((one) => !isOfSets(one) || quotableNews(one).length === 0)
  const todo = others.some(({ correction }) => !correction)
    ? ` Re-issue quotes for vehicles registered ${daysOf(others)}.`
    : ''
  const what = happening(others, ` in ${namesOf(others)}`)
  return `${who}: ${sets}${sets === '' ? what : capital(what)}. Quotes from our service change automatically.${refused}${todo}`
}

/** The days whose quotes change; the last day only if every change has one. */
function daysOf(sections: readonly Section[]): string {
  const [from, ...more] = new Set(sections.map((one) => one.from))
  if (more.length > 0) return 'on or after the day that is named for each'
  const ends = sections.flatMap((one) => [
    ...(one.more > 0 ? [undefined] : []),
    ...changesIn(one).map(({ until }) => until),
  ])
  const last = ends.every((end) => end !== undefined) ? ends.toSorted().at(-1) : undefined
  return last === undefined ? 'on or after that day' : `from ${dayWords(from!)} to ${dayWords(last)}`
}

/** What withdrawn rates mean for a reader. */
const NO_QUOTES = 'Our service gives no quotes for vehicles registered in that time, until a further notice.'

const isWithdrawing = ({ sets }: Section): boolean => sets.some((one) => one.new === null)

/** The news of rate sets in a section that can no longer be quoted, or can be quoted again. */
const quotableNews = (section: Section): string[] =>
  setNews({ ...section, sets: section.sets.filter((one) => !isFirstPublished(one)) })

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** Whether a section contains whole rate sets only. */
export const isOfSets = ({ sets, parts, more }: Section): boolean => sets.length > 0 && parts.length + more === 0

/** `amounts for plates change from 1 July 2027`, or that an announced change is postponed, cancelled or earlier. */
function happening(sections: readonly Section[], where = ''): string {
  const what = whatOf(sections)
  const changes = withoutInstead(sections.flatMap(changesIn))
  // Past days were charged by the earlier figures, so nothing in them can be postponed or cancelled any more.
  const courses = new Set(
    changes.map(({ course, correction }) => (correction && course !== 'broughtForward' ? undefined : course)),
  )
  const [course] = courses.size === 1 ? courses : []
  const announced = sections.filter((one) => changesIn(one).some((change) => changes.includes(change)))
  if (course === 'postponed') {
    const changed = changes.some(({ instead }) => instead !== undefined) ? ' and changed' : ''
    return `the change of ${what}${where} ${dayOf(announced, 'on')} is postponed${changed}`
  }
  if (course === 'cancelled') return `the change of ${what}${where} ${dayOf(announced, 'on')} does not take place`
  const early = course === 'broughtForward' ? ', earlier than announced' : ''
  return `${what}${where} ${verbOf(sections)} ${dayOf(sections, 'from')}${early}`
}

const changesIn = ({ sets, parts }: Section): FigureChange[] => [...sets, ...parts.flatMap(({ changes }) => changes)]

/** Leaves out each change that begins where a postponement of the same figure ends: the postponement says it already. */
function withoutInstead(changes: readonly FigureChange[]): FigureChange[] {
  const on = ({ pricingCode, kind, component, label }: FigureChange, day: string) =>
    [pricingCode, kind, component, label, day].join(' ')
  const postponed = changes.filter(({ course, instead }) => course === 'postponed' && instead !== undefined)
  const begins = new Set(postponed.flatMap((one) => (one.until === undefined ? [] : [on(one, dayAfter(one.until))])))
  return changes.filter((one) => !begins.has(on(one, one.from)))
}

/** What a correction of past days means for quotes. */
export function correctionWords({ from, parts, sets }: Section, { issuedAt }: Pick<Notice, 'issuedAt'>): string {
  const changes = [...sets, ...parts.flatMap((part) => part.changes)].filter((one) => one.correction)
  const until =
    changes
      .map((one) => one.until ?? '9999')
      .sort()
      .at(-1) ?? '9999'
  if (issuedAt !== undefined && until < issuedAt.slice(0, 10)) {
    return (
      `This corrects amounts of past days, ${dayWords(from)} to ${dayWords(until)}. ` +
      'Quotes already given for these days may be wrong: re-issue those that are still open.'
    )
  }
  return (
    `This corrects amounts in use since ${dayWords(from)} and applies to new quotes from today. ` +
    'Quotes already given may be wrong: re-issue those that are still open.'
  )
}

/** The news of whole rate sets, in sentences. */
export const setWords = (section: Section): string[] => setNews(section).map((words) => `${words}.`)

/** The same without the full stops. */
const setNews = ({ name, sets }: Section): string[] =>
  sets.map((one) => {
    const { label, financialYear, new: now, from, until } = one
    const year = `${name} ${financialYear === undefined ? label : yearWords(financialYear)}`
    if (now === null) return `${year} can no longer be quoted`
    if (isPublishedAgain(one)) return `${year} can be quoted again`
    return `${year}: rates are now published, from ${dayWords(from)}${until === undefined ? '' : ` to ${dayWords(until)}`}`
  })

/** The sentence about the replaced notice, if there is one. */
export function replacementWords({ replaces, changes }: Notice): string | undefined {
  if (!replaces) return undefined
  const which = `notice ${replaces.number} of ${timeWords(replaces.issuedAt)}, whether or not it reached you`
  if (changes.length === 0) return `This takes back ${which}: the rates stay as they were before it.`
  return `This replaces ${which}.`
}

/** The most lines of the summary; the page with the whole text has the rest. */
const LINES = 40

/** One line for each jurisdiction and day. */
export function summaryLines(sections: readonly Section[]): string[] {
  const lines = sections.slice(0, LINES).map((section) => {
    const { name, from, parts, sets, more, correction } = section
    const count = parts.reduce((sum, { changes }) => sum + changes.length, 0) + more
    // A section that is only counted has no other place for this.
    const past = correction ? ', a correction of amounts in use since that day' : ''
    const figures = count > 0 ? [`${whatOf([section])} (${counted(count)}${past})`] : []
    if (sets.length > 0 && count === 0) return setWords(section).join(' ')
    return `${name}, from ${dayWords(from)}: ${[...sets.map(ofYear), ...figures].join('; ')}`
  })
  const rest = sections.slice(LINES)
  const count = rest.reduce((sum, { parts, more }) => sum + parts.reduce((n, p) => n + p.changes.length, more), 0)
  return rest.length === 0 ? lines : [...lines, `and ${counted(count)} of ${rest.length} more jurisdictions and days`]
}

/** The news of a rate set, in a line that names its jurisdiction and its day. */
function ofYear({ label, financialYear, old, new: now }: FigureChange): string {
  const rates = `rates of ${financialYear === undefined ? label : yearWords(financialYear)}`
  if (now === null) return `${rates} can no longer be quoted`
  return old === null ? `${rates} are now published` : `${rates} can be quoted again`
}

const counted = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`

const namesOf = (sections: readonly Section[]): string =>
  listWords([...new Set(sections.map(({ name }) => name))].sort())

/** `amounts for stamp duty and CTP`; if no component changes, the changed concessions and zones; otherwise `rates`. */
function whatOf(sections: readonly Section[]): string {
  const parts = sections.flatMap((section) => section.parts)
  const components = namesIn(parts, (part) => (part.kind === 'rule' ? [lower(partWords(part))] : []))
  if (components.length > 0) return `amounts for ${listWords(components)}`
  const concessions = namesIn(parts, ({ kind, component }) => (kind === 'concession' ? [constantWords(component)] : []))
  const others = [
    ...(concessions.length > 0 ? [`concessions (${listWords(concessions)})`] : []),
    ...(parts.some(isOfZones) ? ['zones of postcodes'] : []),
  ]
  return others.length === 0 ? 'rates' : listWords(others)
}

const namesIn = (parts: readonly Part[], name: (part: Part) => string[]): string[] => [...new Set(parts.flatMap(name))]

const lower = (word: string) => (word === word.toUpperCase() ? word : word[0]!.toLowerCase() + word.slice(1))

const verbOf = (sections: readonly Section[]): string =>
  sections.every(({ correction }) => correction) ? 'are corrected' : 'change'

function dayOf(sections: readonly Section[], word: 'from' | 'on'): string {
  const days = [...new Set(sections.map(({ from }) => from))].sort()
  return days.length > 1 ? `from ${dayWords(days[0]!)} on` : `${word} ${dayWords(days[0]!)}`
}
