import { isDeepStrictEqual } from 'node:util'
import { partsWords, type ConditionParts } from '#rates/diff/condition-words.ts'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { isOfClass, partWords } from './names.ts'
import { dollars, money } from '#rates/diff/money.ts'
import { notAfter, notBefore, short } from '#rates/diff/old-and-new.ts'
import { periodWords } from '#rates/diff/period-words.ts'
import { dayWords } from '#rates/readers/day-words.ts'
import { FOR_READERS } from '#rates/readers/reader-words.ts'
import { listWords as eitherWords } from '#rates/readers/test-words.ts'
import type { SectionPart } from './sections.ts'

const time = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** `22 November 2026 at 09:14 UTC` for an ISO time. */
export const timeWords = (iso: string): string => `${time.format(new Date(iso))} UTC`

/** `a`, `a and b`, `a, b and c`, and with more than `most` the first and how many more. */
export function listWords(words: readonly string[], most = 3): string {
  const rest = words.length - most
  if (rest > 1) return `${words.slice(0, most).join(', ')} and ${rest} more`
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The old and the new value in words; of two conditions only the parts that differ. */
export function changeWords(change: FigureChange): { was: string; is: string } {
  const { old, new: now } = onLine(change)
  if (change.postcodes) return { was: old ?? NO_ZONE, is: now ?? NO_ZONE }
  if (old === null) return { was: notBefore(change, NOT_BEFORE), is: now ?? '' }
  if (now === null) return { was: old, is: notAfter(change, 'no longer applies') }
  if (change.roundings) return { was: `rate ${change.roundings[0]}`, is: change.roundings[1] }
  const { was, is } = differing(change) ?? { was: old, is: now }
  return { was: change.formerZone === undefined ? was : `${was} (${change.formerZone})`, is }
}

/** The amounts of the line; when that is one on both sides, their computation differs and is said. */
function onLine({ old, new: now, lines = {} }: FigureChange): Pick<FigureChange, 'old' | 'new'> {
  const line = { old: lines.old ?? old, new: lines.new ?? now }
  return line.old === line.new ? { old, new: now } : line
}

/** The parts of two conditions that differ; undefined when one side has none. */
function differing({ conditions }: FigureChange): { was: string; is: string } | undefined {
  if (!conditions) return undefined
  const [were, are] = conditions.map((one) => partsWords(one, FOR_READERS)) as [string[], string[]]
  const [gone, come] = [were.filter((part) => !are.includes(part)), are.filter((part) => !were.includes(part))]
  if (gone.length === 0 || come.length === 0) return undefined
  return { was: FOR_READERS.together(gone), is: FOR_READERS.together(come) }
}

/** The old value of a line that appears for the first time. */
const NOT_BEFORE = { figure: 'not listed before', outcome: 'no rule of its own before', other: 'not there before' }

/** The zone of a postcode that is in no zone. */
const NO_ZONE = 'in no zone'

/** The amount up to which, or above which, a case applies, where nothing else of its condition changes. */
function thresholdOf({ conditions }: FigureChange): { was: string; is: string; side: string } | undefined {
  if (!conditions) return undefined
  const [old, now] = conditions
  const of = (one: ConditionParts, other: ConditionParts) =>
    one.bounds.filter((bound) => !other.bounds.some((each) => isDeepStrictEqual(bound, each)))
  const [[was, ...lost], [is, ...gained]] = [of(old, now), of(now, old)]
  const isAlone = was?.side === is?.side && lost.length + gained.length === 0 && isDeepStrictEqual(old.tests, now.tests)
  return was && is && isAlone ? { was: was.amount, is: is.amount, side: is.side } : undefined
}

/** The label of a threshold: the rule, the case without its amounts, and what it charges up to there. */
function thresholdLabel({ titles = [], conditions, charge }: FigureChange, side: string): string {
  const vehicles = titles.length === 0 ? '' : FOR_READERS.together(conditions![1].tests)
  const which = charge === undefined ? 'threshold' : `${charge}, ${side}`
  const words = [...titles.slice(0, -1).map((title) => title.words), vehicles, which]
  return short(words.filter((one) => one !== '').join(': '))
}

/** The label of a threshold whose charges on both sides are known: what it is of, and for which vehicles. */
function endLabel({ titles = [], conditions, threshold }: FigureChange): string {
  const rules = titles.slice(0, -1).map(({ words }) => words)
  const vehicles = FOR_READERS.together(conditions![1].tests)
  const unless = threshold!.unless.length === 0 ? '' : `unless ${eitherWords(threshold!.unless)}`
  const words = [...rules, `threshold of the ${threshold!.of}`, vehicles, unless]
  return short(words.filter((one) => one !== '').join(', '))
}

/** One line of a change: label, old value, new value. */
export function lineWords(change: FigureChange): { label: string; was: string; is: string } {
  const { was, is } = changeWords(change)
  if (change.postcodes) return { label: postcodeWords(change.postcodes), was, is }
  const { side, ...threshold } = thresholdOf(change) ?? {}
  if (change.threshold && side !== undefined) return { label: endLabel(change), was, is, ...threshold }
  if (side !== undefined) return { label: thresholdLabel(change, side), was, is, ...threshold }
  const label = change.kind === 'parameter' && change.key === 'value' ? 'amount' : short(labelOf(change))
  return { label, ...calledOff(change, { was, is }) }
}

/** Of what was announced and does not come then, or at all, the later value is the one that stays. */
function calledOff({ course, correction, old, new: now }: FigureChange, { was, is }: { was: string; is: string }) {
  const isOff = (course === 'postponed' || course === 'cancelled') && correction !== true
  return isOff && old !== null && now !== null ? { was: `${was} (announced)`, is: `stays ${is}` } : { was, is }
}

/** The amounts of the vehicles whose postcodes move, one line each. */
export const zoneAmountLines = ({ amounts = [] }: FigureChange): { label: string; was: string; is: string }[] =>
  amounts.map(({ component, label, term, old, new: now, isEstimate }) => {
    const name = `${partWords({ kind: 'rule', component })}${term ?? ''}`
    return {
      label: short(label === '' ? name : `${name}, ${label}`),
      was: old,
      is: isEstimate ? `${now} (estimate)` : now,
    }
  })

/** The label of a change; a class says that vehicles belong to it. */
const labelOf = ({ component, label }: FigureChange): string => (isOfClass({ component }) ? 'applies where' : label)

/** `postcodes 3335-3337, 3340 and 12 more`: a list is cut where one of its items ends. */
export function postcodeWords(postcodes: readonly string[]): string {
  const found = postcodes.findIndex((_, at) => postcodes.slice(0, at + 1).join(', ').length > LONGEST_LIST)
  const kept = postcodes.slice(0, found < 1 ? undefined : found)
  const isOne = postcodes.length === 1 && !postcodes[0]!.includes('-')
  const rest = postcodes.length - kept.length
  return `${isOne ? 'postcode' : 'postcodes'} ${kept.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** The most characters of a list. */
const LONGEST_LIST = 130

/** In brackets after the new value: whether it is an estimate, how it is computed, and its end; empty without these. */
export function behindWords(change: FigureChange): string {
  const { isEstimate, lines, announced, threshold } = change
  const isOneLine = lines?.new !== undefined && lines.new === lines.old
  const words = [
    threshold && `up to it ${threshold.below}, above it${toWords(threshold)} ${threshold.above}`,
    isEstimate ? 'estimate' : undefined,
    isOneLine ? undefined : lines?.how,
    announced === undefined ? undefined : `instead of the announced ${announced}`,
    periodWords({ ...change, old: lines?.old ?? change.old }, dayWords),
  ].filter((one) => one !== undefined)
  return words.length === 0 ? '' : ` (${words.join('; ')})`
}

const toWords = ({ aboveTo }: { aboveTo?: string }): string => (aboveTo === undefined ? '' : ` and up to ${aboveTo}`)

/** `; on $40,000: $2,000.00 → $2,004.00`, or `; on a dutiable value of $80,900: …`; empty without an example. */
export function exampleWords({ example }: FigureChange): string {
  if (!example) return ''
  const amount = money(String(example.of / 100))
  return `; on ${example.basis === undefined ? amount : `${withArticle(example.basis)} of ${amount}`}: ${dollars(example.from)} → ${dollars(example.to)}`
}

/** `a dutiable value`, `an LCT value`: the name of a letter may begin with a vowel. */
const withArticle = (words: string): string => `${/^([aeiou]|[AEFHILMNORSX][A-Z])/.test(words) ? 'an' : 'a'} ${words}`

/** `For 6 months: $171.65 → $176.35; for 3 months: …` of one amount; of several, that these terms change too. */
export function otherTermWords({ changes }: Pick<SectionPart, 'changes'>): string[] {
  const all = changes.flatMap(({ otherTerms = [] }) => [otherTerms])
  const found = all.filter((one) => one.length > 0)
  const [only, ...more] = found
  if (!only) return []
  if (more.length === 0) {
    const amounts = only.map(({ months, from, to }) => `for ${months} months: ${dollars(from)} → ${dollars(to)}`)
    return [`${amounts.join('; ').replace('for', 'For')}.`]
  }
  const months = [...new Set(found.flat().map((one) => one.months))].sort((a, b) => a - b)
  return [`The amounts for ${listWords(months.map(String), months.length)} months change too.`]
}

/** `2027-28` of the financial year `2027-2028`. */
export const yearWords = (financialYear: string): string => {
  const [first = '', last = ''] = financialYear.split('-')
  return `${first}-${last.slice(-2)}`
}

/** The most titles of sources in one line. */
const TITLES = 3

/**
 * The official page of a part, or the titles of its sources, marked as unofficial when that is known; undefined without
 * sources.
 */
export function sourceWords({
  sources,
  official,
  isReadElsewhere,
}: Pick<SectionPart, 'sources' | 'official' | 'isReadElsewhere'>): string | undefined {
  const [page] = official ?? []
  const address = page && `${oneLine(page.title)}, ${oneLine(page.url)}`
  if (address && !isReadElsewhere) return `Source: ${address}`
  if (sources.length === 0) return address && `Official page, whose amounts were read elsewhere: ${address}`
  const more = sources.length - TITLES
  const titles = [
    ...sources.slice(0, TITLES).map(oneLine).map(withoutDoubt),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ')
  return `${official ? 'Source (unofficial)' : 'Source'}: ${titles}${address ? `. Official page: ${address}` : ''}`
}

/** A title without words that the mark `unofficial` says. */
const withoutDoubt = (title: string): string =>
  title.replace(/, as (third-party records|a third-party record( of \w+ \d{4})?) quotes? (it|them)$/, '')

/** A free text in one line, without characters that change the direction of writing. */
export const oneLine = (text: string): string =>
  text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
