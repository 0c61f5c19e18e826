import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Difference } from '../served.ts'
import { drawnCurves } from './curve-view.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import type { Rates } from './rates.ts'
import { repriced } from './repriced.ts'
import { requestOf, type Chosen } from './request.ts'
import { day, money, words } from './words.ts'

/** The differences between two sides of rates: in cents for the chosen vehicle, on the curve, and in words. */
export function differenceView(
  chosen: Chosen,
  { old, oldSnapshot, label, snapshot }: Rates,
  { choices, width }: { choices: HTMLElement; width: number },
): HTMLElement[] {
  if (!old || !oldSnapshot) {
    return [element('h2', {}, 'Nothing is compared'), element('p', {}, 'Start the explorer with --against git:HEAD.')]
  }
  return [
    element('h2', {}, `What differs: ${old.label} → ${label}`),
    ...inCents(requestOf(chosen), oldSnapshot, snapshot),
    choices,
    ...drawnCurves(
      [
        { name: old.label, chosen, snapshot: oldSnapshot },
        { name: label, chosen, snapshot },
      ],
      chosen,
      width,
    ).parts,
    ...inWords(old.differences, chosen, snapshot),
  ]
}

function inCents(request: QuoteRequest, old: Snapshot, now: Snapshot): HTMLElement[] {
  const rows = repriced(request, old, now).map((one): Cell[] => [
    text(day(one.from)),
    text(day(one.until)),
    text(words(one.component)),
    amount(shown(one.old)),
    amount(shown(one.now)),
    amount(money((one.now ?? 0) - (one.old ?? 0))),
  ])
  const headings = [text('From'), text('To'), text('Charge'), amount('Old'), amount('New'), amount('Difference')]
  if (rows.length === 0) return [element('p', {}, 'On no day does a charge of this vehicle differ.')]
  return [table('Charges of this vehicle that differ', headings, rows)]
}

const shown = (cents: number | null) => (cents === null ? 'no line' : money(cents))

/** The statements of the chosen jurisdiction and of its imports first, then those of the others. */
function inWords(differences: readonly Difference[], { pricingCode = '' }: Chosen, { specs }: Snapshot): HTMLElement[] {
  const own = specs.filter((spec) => spec.pricingCode === pricingCode)
  const near = new Set([pricingCode, ...own.flatMap(({ imports = [] }) => imports)])
  const isNear = (one: Difference) => near.has(one.pricingCode)
  const others = differences.filter((one) => !isNear(one))
  return [
    statements(`In words: ${pricingCode} and what it imports`, differences.filter(isNear)),
    ...(others.length > 0
      ? [element('details', {}, element('summary', {}, 'Other jurisdictions'), statements('In words', others))]
      : []),
  ]
}

function statements(caption: string, differences: readonly Difference[]): HTMLElement {
  if (differences.length === 0) return element('p', {}, `${caption}: no figure differs.`)
  const headings = [text('From'), text('Charge'), text('What'), text('Old'), text('New')]
  const rows = differences.map(({ pricingCode, component, from, what, was, is, period }): Cell[] => [
    text(day(from)),
    text(`${pricingCode} ${words(component)}`),
    text(what),
    text(was),
    text(period === '' ? is : `${is}, ${period}`),
  ])
  return table(caption, headings, rows)
}
