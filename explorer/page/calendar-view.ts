import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { day, money, words } from './words.ts'

/** A component of which the amount changes on a day; cents, null where the component has no line. */
export interface Change {
  day: string
  component: string
  from: number | null
  to: number | null
}

/** Every day of the published rates on which a line of the chosen vehicle changes, found by pricing each day. */
export function changesOf(
  request: QuoteRequest,
  { start, end }: { start: string; end: string },
  snapshot: Snapshot,
): Change[] {
  const changes: Change[] = []
  let before: Map<string, number> | undefined
  for (const date of daysFrom(start, end)) {
    const now = linesOn(request, date, snapshot)
    if (before && now) changes.push(...differences(date, before, now))
    before = now ?? before
  }
  return changes
}

function differences(date: string, before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): Change[] {
  const components = new Set([...before.keys(), ...now.keys()])
  return [...components]
    .map((component) => ({ day: date, component, from: before.get(component) ?? null, to: now.get(component) ?? null }))
    .filter(({ from, to }) => from !== to)
}

/** The on-road lines on a day, in cents by component; undefined where the day cannot be priced. */
function linesOn(request: QuoteRequest, date: string, snapshot: Snapshot): Map<string, number> | undefined {
  const asked = {
    ...request,
    purchaseDate: date,
    registration: { ...request.registration, startDate: date },
    options: {},
  }
  try {
    const { categories }: Quote = quote(asked, snapshot)
    return new Map(categories.onRoad.map(({ component, value }) => [component, value]))
  } catch (error) {
    if (error instanceof PricingFault) return undefined
    throw error
  }
}

function* daysFrom(start: string, end: string): Generator<string> {
  const date = new Date(`${start}T00:00:00Z`)
  for (let iso = start; iso <= end; iso = date.toISOString().slice(0, 10)) {
    yield iso
    date.setUTCDate(date.getUTCDate() + 1)
  }
}

/** What changes when for the chosen vehicle, the next change first named by its day. */
export function calendarView(request: QuoteRequest, snapshot: Snapshot): HTMLElement[] {
  const range = snapshot.jurisdictions[request.pricingCode]?.range
  if (!range) return [element('p', { class: 'refused' }, 'There are no rates for this jurisdiction.')]
  const changes = changesOf(request, range, snapshot)
  const headings = [text('From'), text('Charge'), amount('Before'), amount('After'), amount('Difference')]
  const shown = (cents: number | null) => (cents === null ? 'no line' : money(cents))
  const rows = changes.map(({ day: date, component, from, to }): Cell[] => [
    text(day(date)),
    text(words(component)),
    amount(shown(from)),
    amount(shown(to)),
    amount(money((to ?? 0) - (from ?? 0))),
  ])
  return [
    element('h2', {}, 'What changes for this vehicle, and when'),
    element('p', {}, `Every day from ${day(range.start)} to ${day(range.end)} was priced.`),
    table('Changes of the charges', headings, rows),
  ]
}
