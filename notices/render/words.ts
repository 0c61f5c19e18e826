import type { FigureChange } from '#rates/diff/figures.ts'
import { periodWords } from '#rates/diff/period-words.ts'
import { dayAfter } from '#rates/diff/timeline.ts'
import type { Notice } from '../notice.ts'
import type { Part, Section } from './sections.ts'

const format = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `1 July 2027` for an ISO day. */
export const dayWords = (iso: string): string => format.format(new Date(`${iso}T00:00:00Z`))

/** `Stamp duty` for the component `STAMP_DUTY`, `Concession PENSIONER`; other parts have their own names. */
export function partWords({ kind, component }: Part): string {
  if (kind === 'set') return 'Rate set'
  if (kind === 'concession') return `Concession ${component}`
  if (kind !== 'rule' || component.length <= SHORT_NAME) return component
  return component[0] + component.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** CTP stays as it is. */
const SHORT_NAME = 3

/** What was and what is, each in words. */
export function changeWords({ kind, old, new: now }: FigureChange): { was: string; is: string } {
  if (kind === 'set') return { was: old === null ? 'not published' : 'published', is: now ?? 'withdrawn' }
  return { was: old ?? 'nothing', is: now ?? 'no longer' }
}

/** How long a change holds, in brackets behind what is; nothing where it lasts. */
export function lastingWords(change: FigureChange): string {
  const words = periodWords(change, dayWords)
  return words === undefined ? '' : ` (${words})`
}

export const CORRECTION =
  'A correction of days already past: what was quoted for these days would be quoted otherwise now.'

/** What the reader is told first. */
export const opening = ({ client, environment }: Notice): string =>
  `The rates behind the drive-away prices of client ${client} change${environment === '' ? '' : ` in ${environment}`}. ` +
  'A new figure applies to quotes whose registration starts on or after its day.'

/** Where the whole is, for a program. */
export function pointer(sections: readonly Section[]): string {
  const edges = ({ from, parts }: Section) => [
    from,
    ...parts.flatMap(({ changes }) => changes.flatMap(({ until }) => (until === undefined ? [] : [dayAfter(until)]))),
  ]
  const days = sections.flatMap(edges).sort()
  return `GET /v1/changes?from=${days[0]}&to=${days.at(-1)}`
}

/** What is not listed; undefined where everything is. */
export function moreWords(sections: readonly Section[]): string | undefined {
  const more = sections.filter((section) => section.more > 0)
  const count = more.reduce((sum, section) => sum + section.more, 0)
  if (count === 0) return undefined
  const each = more.map((section) => `${section.more} of ${section.pricingCode} from ${dayWords(section.from)}`)
  return `Not listed here: ${count} more ${count === 1 ? 'change' : 'changes'}, ${each.join(', ')}.`
}

export const closing = ({ client, release }: Notice): string =>
  `This goes to the contacts of client ${client} that have notices on. Release ${release}.`

/** Titles that a reader is given; `GET /v1/changes` has all of them. */
const TITLES = 3

/** The titles of some sources; undefined where there are none. */
export function sourceWords(titles: readonly string[]): string | undefined {
  const more = titles.length - TITLES
  if (titles.length === 0) return undefined
  return [...titles.slice(0, TITLES).map(oneLine), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** A text in one line: titles are free texts. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim()
