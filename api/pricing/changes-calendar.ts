import ical from 'ical-generator'
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
}

/** An event lists at most so many changes: calendar programs cut long texts without a word. */
const LISTED = 30

/**
 * Changes as an iCalendar (RFC 5545): for each pricing code and day on which figures change, one event of that whole day.
 * The same changes give the same text.
 */
export function calendarOf(changes: readonly TypedChange[], names: Names): string {
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
      // When the event was last changed; the release, which says that, has no time.
      stamp: new Date(`${effectiveDate}T00:00:00Z`),
      summary: `${names.jurisdiction(pricingCode)}: ${whatChanges(all, names)}`,
      description: describe(all),
    })
  }
  return calendar.toString()
}

/** The components that change, each once. */
function whatChanges(changes: readonly TypedChange[], { component }: Names): string {
  const components = changes.filter(({ kind }) => kind === 'component')
  const named = new Set(components.map(({ pricingCode, name }) => component(pricingCode, name)))
  return named.size > 0 ? [...named].join(', ') : 'figures without a charge of their own'
}

/** One line for each change: amounts first, then what only words say. */
function describe(changes: readonly TypedChange[]): string {
  const { words = [], amounts = [] } = Object.groupBy(changes, ({ unit }) => (unit === 'words' ? 'words' : 'amounts'))
  const lines = [...amounts, ...words].map((change) => `${change.name}, ${change.description}: ${fromTo(change)}`)
  const left = lines.length - LISTED
  return [...lines.slice(0, LISTED), ...(left > 0 ? [`and ${left} more: GET /v1/changes has all of them`] : [])].join(
    '\n',
  )
}

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
