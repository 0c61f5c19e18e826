import type { FigureChange } from '#rates/diff/figure-change.ts'
import { dayAfter } from '#rates/engine/dates.ts'
import { isFirstPublished, isPublishedAgain } from '#rates/diff/whole-sets.ts'
import type { Notice } from '../notice.ts'
import { dayWords } from '#rates/readers/day-words.ts'
import { constantWords } from '#rates/readers/reader-words.ts'
import { capital, changesIn, changing, changingIn, isUnpriced, whatOf } from './happening.ts'
import { lower, partWords } from './names.ts'
import type { Section } from './sections.ts'
import { listWords, oneLine, postcodeWords, timeWords, yearWords } from './words.ts'

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

/** The opening of the mail: what changes and what to do. */
export function opening({ displayName, client }: Notice, sections: readonly Section[]): string {
  const who = displayName ?? client
  const refused = noQuotes(sections)
  if (sections.every(isOfSets)) return `${who}: ${[...sections.flatMap(setWords), ...refused].join(' ')}`
  const sets = [...sections.flatMap(quotableNews).map((words) => `${words}.`), ...refused]
  const others = sections.filter((one) => !isOfSets(one) || quotableNews(one).length === 0)
  const what = changingIn(others)
  const said = [...sets, `${sets.length === 0 ? what : capital(what)}.`, ...followed(others), ...stillDue(others)]
  return `${who}: ${[...said, todo(others), ...afterwards(others)].join(' ')}`
}

/** What becomes of quotes; what `stillDue` says is enough if nothing else changes. */
function followed(sections: readonly Section[]): string[] {
  const isAll = sections.every((one) => one.more === 0 && changesIn(one).every(isUnpriced))
  if (isAll && sections.some((one) => changesIn(one).length > 0)) return []
  return ['New quotes from our service follow this automatically; quotes that you have given do not change.']
}

/** What it means for a reader that a component has no price any more: a quote is too low. */
function stillDue(sections: readonly Section[]): string[] {
  const parts = sections.flatMap((section) => section.parts)
  const names = parts.flatMap((part) => (part.changes.some(isUnpriced) ? [lower(partWords(part))] : []))
  if (names.length === 0) return []
  const what = listWords([...new Set(names)])
  return [
    `New quotes from our service leave out the price of ${what} and say that they are not complete.`,
    'It still has to be paid: ask us what it costs, and add it before you promise a drive-away price.',
  ]
}

/** What to do with quotes that are given. */
function todo(sections: readonly Section[]): string {
  const what = sections.every(({ correction }) => correction) ? 'Check and re-issue open quotes' : 'Re-issue quotes'
  return `${what}${ofConcessions(sections)} for vehicles ${keptWords(sections)}to be registered ${daysOf(sections)}.`
}

/** ` that claim the concession eligible beneficiary`, when nothing but concessions changes. */
function ofConcessions(sections: readonly Section[]): string {
  const changes = sections.flatMap(changesIn)
  const isOnly = changes.every(({ kind }) => kind === 'concession') && sections.every(({ more }) => more === 0)
  if (changes.length === 0 || !isOnly) return ''
  const names = [...new Set(changes.map(({ component }) => constantWords(component)))]
  return ` that claim the ${names.length === 1 ? 'concession' : 'concessions'} ${listWords(names)},`
}

/** `kept in postcode 3999 and `, when nothing changes but the zones of some postcodes, and the amounts of a zone made of them. */
function keptWords(sections: readonly Section[]): string {
  const changes = sections.flatMap(changesIn)
  const moved = changes.flatMap(({ postcodes = [] }) => postcodes)
  const isMoved = changes.every(({ postcodes, formerZone }) => postcodes !== undefined || formerZone !== undefined)
  if (moved.length === 0 || !isMoved || sections.some(({ more }) => more > 0)) return ''
  return `kept in ${postcodeWords(moved)} and `
}

/** The days whose quotes change; the last day only if every change has one. */
function daysOf(sections: readonly Section[]): string {
  const [from, ...more] = [...new Set(sections.map((one) => one.from))].sort()
  if (more.length > 0) return `on or after ${dayWords(from!)}`
  const ends = sections.flatMap((one) => [
    ...(one.more > 0 ? [undefined] : []),
    ...changesIn(one).map(({ until }) => until),
  ])
  const last = ends.every((end) => end !== undefined) ? ends.toSorted().at(-1) : undefined
  return last === undefined ? 'on or after that day' : `from ${dayWords(from!)} to ${dayWords(last)}`
}

/** What follows when everything changes on one day and ends on one day: what was published before is still published. */
function afterwards(sections: readonly Section[]): string[] {
  const isListed = sections.every(({ more, sets, correction }) => more + sets.length === 0 && !correction)
  const changes = sections.flatMap(changesIn)
  const ends = new Set(changes.map(({ until }) => until))
  const [last] = ends
  const isPlain = isListed && changes.every(({ course }) => course === undefined)
  const isOneTime = ends.size === 1 && new Set(sections.map(({ from }) => from)).size === 1
  if (!isPlain || !isOneTime || last === undefined) return []
  return [`From ${dayWords(dayAfter(last))} on, what was published before this change applies again.`]
}

/** What it means for a reader that rates are withdrawn: where and when our service gives no quotes. */
function noQuotes(sections: readonly Section[]): string[] {
  const gone = sections.flatMap(({ name, sets }) =>
    sets.filter((one) => one.new === null).map((one) => ({ ...one, name })),
  )
  if (gone.length > FEW) return [`Our service gives no quotes by these rates, until further notice. ${ASK}`]
  const said = gone.map(({ name, from, until }) => {
    const days = until === undefined ? `on or after ${dayWords(from)}` : `from ${dayWords(from)} to ${dayWords(until)}`
    return `Our service gives no quotes for vehicles registered in ${name} ${days}, until further notice.`
  })
  return said.length === 0 ? [] : [...said, ASK]
}

/** What to do about quotes by rates that are withdrawn. */
const ASK = 'Do not rely on quotes that you have for these vehicles: ask us before a customer signs.'

/** Withdrawn sets up to which the days of each are said. */
const FEW = 2

/** The news of rate sets in a section that can no longer be quoted, or can be quoted again. */
const quotableNews = (section: Section): string[] =>
  setNews({ ...section, sets: section.sets.filter((one) => !isFirstPublished(one)) })

/** Whether a section contains whole rate sets only. */
export const isOfSets = ({ sets, parts, more }: Section): boolean => sets.length > 0 && parts.length + more === 0

/** What a correction of past days means for quotes. */
export function correctionWords({ from, parts, sets }: Section, { issuedAt }: Pick<Notice, 'issuedAt'>): string {
  const changes = [...sets, ...parts.flatMap((part) => part.changes)].filter((one) => one.correction)
  const until =
    changes
      .map((one) => one.until ?? '9999')
      .sort()
      .at(-1) ?? '9999'
  if (sets.some(isPublishedAgain)) {
    return (
      'These amounts differ from those before the rates were withdrawn. ' +
      'Quotes given before then may be wrong: re-issue those that are still open.'
    )
  }
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

/** Until when the new amounts apply, where they name no last day of their own. */
export function lastDayWords({ lastDay, parts, more }: Section): string[] {
  const changes = parts.flatMap((part) => part.changes).filter((one) => one.new !== null && !isUnpriced(one))
  const lasting = changes.filter(({ until }) => until === undefined)
  if (lastDay === undefined || lasting.length === 0) return []
  const what = lasting.length === changes.length && more === 0 ? 'Applies' : 'What names no last day of its own applies'
  return [`${what} until ${dayWords(lastDay)}, the last day of the published rates.`]
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
