import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rulesOfYear } from '#rates/engine/year-listings.ts'
import { cellOf, differenceOf, shown, shownDifference, type Charge, type Charges } from './charge.ts'
import { chargesOn, daysFrom } from './charges-by-day.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { howOfComponent } from './how.ts'
import { hashOf, requestOf, type Chosen } from './request.ts'
import { saveRows } from './save.ts'
import { day, words } from './words.ts'

/** A component that changes on a day; null when it has no line. */
export interface CalendarEntry {
  day: string
  component: string
  from: Charge | null
  to: Charge | null
}

/** Every day of the published rates on which a charge of the chosen vehicle changes; each day is priced to find them. */
export function changesOf(
  request: QuoteRequest,
  { start, end }: { start: string; end: string },
  snapshot: Snapshot,
): CalendarEntry[] {
  const changes: CalendarEntry[] = []
  let before: Charges | undefined
  for (const date of daysFrom(start, end)) {
    const now = chargesOn(request, date, snapshot)
    if (before && now) changes.push(...differences(date, before, now))
    before = now ?? before
  }
  return changes
}

function differences(date: string, before: Charges, now: Charges): CalendarEntry[] {
  const components = new Set([...before.keys(), ...now.keys()])
  return [...components]
    .map((component) => ({ day: date, component, from: before.get(component) ?? null, to: now.get(component) ?? null }))
    .filter(({ from, to }) => from !== to)
}

/** The rates that are compared with: in a comparison with what is published, the others are announced. */
export interface Published {
  label: string
  snapshot: Snapshot
}

/**
 * The changes for the chosen vehicle by day, those that `published` lacks marked, and the figures that were to be
 * reviewed before `today`, ISO.
 */
export function calendarView(
  chosen: Chosen,
  snapshot: Snapshot,
  { today, published }: { today: string; published: Published | undefined },
): HTMLElement[] {
  const request = requestOf(chosen)
  const range = snapshot.jurisdictions[request.pricingCode]?.range
  if (!range) return [element('p', { class: 'refused' }, 'There are no rates for this jurisdiction.')]
  const changes = changesOf(request, range, snapshot)
  return [
    element('h2', {}, 'What changes for this vehicle, and when'),
    element('p', {}, `Every day from ${day(range.start)} to ${day(range.end)} was priced.`),
    changesTable(changes, chosen, {
      snapshot,
      published: published && { ...published, has: publishedIn(request, range, published.snapshot) },
    }),
    saveRows('calendar', () => [
      ['from', 'charge', 'before_cents', 'after_cents'],
      ...changes.map(({ day: date, component, from, to }) => [date, component, cellOf(from), cellOf(to)]),
    ]),
    ...toReview(request.pricingCode, snapshot, today),
  ]
}

interface Sides {
  snapshot: Snapshot
  published: (Published & { has: (change: CalendarEntry) => boolean }) | undefined
}

function changesTable(changes: readonly CalendarEntry[], chosen: Chosen, { snapshot, published }: Sides): HTMLElement {
  const headings = [
    text('From'),
    text('Charge'),
    amount('Difference'),
    amount('Before'),
    amount('After'),
    ...(published ? [text(`In ${published.label}`)] : []),
    text('Which law'),
  ]
  const rows = changes.map((change): Cell[] => {
    const { day: date, component, from, to } = change
    return [
      text(element('a', { href: hashOf({ ...chosen, view: 'price', startDate: date }) }, day(date))),
      text(words(component)),
      amount(shownDifference(differenceOf(from, to))),
      amount(shown(from)),
      amount(shown(to)),
      ...(published ? [text(published.has(change) ? 'yes' : 'not published')] : []),
      text(...(to === null ? [] : [howOfComponent(component, { ...chosen, startDate: date }, snapshot)])),
    ]
  })
  return table('Changes of the charges', headings, rows)
}

/** Tells whether other rates have a change: on the same day, of the same charge, from and to the same amount. */
function publishedIn(
  request: QuoteRequest,
  range: { start: string; end: string },
  snapshot: Snapshot,
): (change: CalendarEntry) => boolean {
  const keyOf = ({ day: date, component, from, to }: CalendarEntry) => [date, component, from, to].join(' ')
  const known = new Set(changesOf(request, range, snapshot).map(keyOf))
  return (change) => known.has(keyOf(change))
}

/** The rules in force today or later whose figures should have been looked at again; days are ISO. */
function toReview(pricingCode: string, { jurisdictions }: Snapshot, today: string): HTMLElement[] {
  const rules = Object.values(jurisdictions[pricingCode]?.years ?? {}).flatMap((year) => rulesOfYear(year))
  const late = rules.filter(({ endDate, verification }) => endDate >= today && verification.reviewBy < today)
  if (late.length === 0) return [element('p', {}, 'No figure in force today or later is past its review date.')]
  const headings = [text('Charge'), text('Read on'), text('Review by'), text('Rule and official page')]
  const rows = late.map(({ id, name, verification }): Cell[] => {
    const [source] = verification.officialSources
    return [
      text(name),
      text(day(verification.verifiedOn)),
      text(day(verification.reviewBy)),
      text(source ? element('a', { href: source.url, rel: 'noopener' }, id) : id),
    ]
  })
  return [table('Figures past their review date', headings, rows)]
}
