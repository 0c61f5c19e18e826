import ical from 'ical-generator'
import { constantWords } from '#rates/readers/reader-words.ts'
import { valueWords } from '#rates/readers/value-words.ts'
import type { RatePer } from '#rates/diff/said.ts'
import type { TypedChange } from '#rates/diff/typed-changes.ts'

/** How the calendar names what it shows. */
interface Names {
  /** Of the whole calendar. */
  title: string
  /** Of a state or territory, by its pricing code. */
  jurisdiction(pricingCode: string): string
  /** Of a component, such as "Motor vehicle duty". */
  component(pricingCode: string, component: string): string
  /** Of anything else in its rate sets, such as a class of vehicles. */
  name(pricingCode: string, name: string): string
}

/** An event lists at most so many changes, each in so many characters: calendar programs cut long texts without a word. */
const LISTED = 15
const LONGEST = 200

/**
 * Changes as an iCalendar (RFC 5545): for each pricing code and day on which figures change, one event of that whole day.
 * `since` is the time at which the release came into force. The same changes and time give the same text.
 */
export function calendarOf(changes: readonly TypedChange[], names: Names, since: Date): string {
  const calendar = ical({ name: names.title, prodId: { company: 'driveaway', product: 'rates', language: 'EN' } })
  const byDay = Map.groupBy(changes, ({ pricingCode, effectiveDate }) => `${pricingCode}-${effectiveDate}`)
  for (const [key, [first, ...others]] of byDay) {
    const { pricingCode, effectiveDate } = first!
    const all = [first!, ...others]
    calendar.createEvent({
      // A calendar program that reads the calendar again finds the same event.
      id: `${key}@rates.driveaway.dev`,
      start: new Date(`${effectiveDate}T00:00:00Z`),
      timezone: 'UTC',
      allDay: true,
      // When the event was last revised (RFC 5545, 3.8.7.2).
      stamp: since,
      lastModified: since,
      // A program keeps the event with the higher number, so it rises with each release: minutes since 1970.
      sequence: Math.floor(since.getTime() / 60_000),
      summary: `${names.jurisdiction(pricingCode)}: ${whatChanges(all, names)}`,
      description: describe(all, names),
    })
  }
  // Each line ends with CRLF (3.1), the last one too.
  return `${calendar.toString().trimEnd()}\r\n`
}

/** The components that change, each once. */
function whatChanges(changes: readonly TypedChange[], { component }: Names): string {
  const components = changes.filter(({ kind }) => kind === 'component')
  const named = new Set(components.map(({ pricingCode, name }) => component(pricingCode, name)))
  return named.size > 0 ? [...named].join(', ') : 'figures without a charge of their own'
}

/** One line for each change: amounts first, then what only words say. */
function describe(changes: readonly TypedChange[], names: Names): string {
  const { words = [], amounts = [] } = Object.groupBy(changes, ({ unit }) => (unit === 'words' ? 'words' : 'amounts'))
  const lines = [...amounts, ...words].map((change) => {
    const { kind, pricingCode, name, description } = change
    const plain = (text: string) => plainly(text, (each) => names.name(pricingCode, each))
    const what = kind === 'component' ? names.component(pricingCode, name) : capital(plain(name))
    // What is told is the amount or the outcome anyway.
    const which = description.replace(/(^|: )(amount|outcome|value)$/, '')
    return shortened(`${[what, ...(which === '' ? [] : [plain(which)])].join(', ')}: ${plain(fromTo(change))}`)
  })
  const left = lines.length - LISTED
  return [...lines.slice(0, LISTED), ...(left > 0 ? [`and ${left} more: GET /v1/changes has all of them`] : [])].join(
    '\n',
  )
}

const shortened = (line: string) => (line.length > LONGEST ? `${line.slice(0, LONGEST - 2).trimEnd()} …` : line)

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A text of a rate set with words in place of its names: `fuelType BEV`, `usedAboveTheLimit`, `$80,809 (LCT_THRESHOLD)`. */
const plainly = (text: string, nameWords: (name: string) => string): string =>
  text
    .replaceAll(/ \((?:[A-Z_]+\/)?[A-Z][A-Z0-9]*_[A-Z0-9_]+\)/g, '')
    .replaceAll('kind:', '')
    .replaceAll(/\b[a-z][a-z0-9]*[A-Z]\w*/g, nameWords)
    .replaceAll(/\b[A-Z]{3,4}\b/g, (code) => valueWords('fuelType', code) ?? code)
    .replaceAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g, constantWords)
    .replaceAll(/(?<=[a-z])_(?=[a-z])/g, ' ')

/** Old and new value: the amounts on a line of a quote where they are known. */
function fromTo({ from, to, unit, per, charged }: TypedChange): string {
  const isCharged = charged !== undefined && charged.from !== charged.to
  const values = isCharged ? { ...charged, unit: 'cents' as const } : { from, to, unit }
  const said = (value: string | number) => `${valueText(value, values.unit)}${per && !isCharged ? perText(per) : ''}`
  if (values.from === null) return `new: ${said(values.to!)}`
  return values.to === null ? `ends: ${said(values.from)}` : `${said(values.from)} → ${said(values.to)}`
}

const DOLLARS = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD', maximumFractionDigits: 8 })

function valueText(value: string | number, unit: TypedChange['unit']): string {
  if (unit === 'cents' || unit === 'fractionalCents') return DOLLARS.format(Number(value) / 100)
  return unit === 'percent' ? `${value}%` : String(value)
}

const perText = ({ amount, of }: RatePer): string =>
  ` for each ${of === 'cents' ? DOLLARS.format(Number(amount) / 100) : `${amount} ${of}`}`
