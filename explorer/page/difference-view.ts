import { dayOf, financialYearOf } from '#rates/engine/dates.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Difference } from '../served.ts'
import { cellOf, differenceOf, shown, shownDifference } from './charge.ts'
import { drawnCurves } from './curve-view.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { fold } from './fold.ts'
import { lawOfJump, type Side } from './how.ts'
import type { Rates } from './rates.ts'
import { repriced } from './repriced.ts'
import { requestOf, type Chosen } from './request.ts'
import { saveRows } from './save.ts'
import { day, stateName, words } from './words.ts'

/** The differences between two sides of rates: in cents for the chosen vehicle, on the curve, and in words. */
export function differenceView(
  chosen: Chosen,
  { old, oldSnapshot, label, snapshot, followEveryMs }: Rates,
  { choices, width }: { choices: HTMLElement; width: number },
): HTMLElement[] {
  if (!old || !oldSnapshot) {
    // Only the server of the command tells of changes by events; the pricing API has one side of rates.
    const how = followEveryMs === undefined ? 'Start the explorer with --against git:HEAD.' : ELSEWHERE
    return [element('h2', {}, 'Nothing is compared'), element('p', {}, how)]
  }
  return [
    element('h2', {}, `What differs: ${old.label} → ${label}`),
    ...inCents(chosen, { label: old.label, chosen, snapshot: oldSnapshot }, { label, chosen, snapshot }),
    choices,
    ...drawnCurves(
      [
        { name: old.label, chosen, snapshot: oldSnapshot, rates: 'other' },
        { name: label, chosen, snapshot, rates: 'own' },
      ],
      chosen,
      width,
    ).parts,
    ...inWords(old.differences, chosen, snapshot),
  ]
}

const ELSEWHERE =
  'This page has the rates of one release. To compare two sides of rates, run driveaway explore --against on a computer with both.'

const named = (pricingCode: string) => stateName(pricingCode) ?? pricingCode

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The charges that differ, each with the law of both sides on the first day. */
function inCents(chosen: Chosen, old: Side, now: Side): HTMLElement[] {
  const found = repriced(requestOf(chosen), old.snapshot, now.snapshot)
  if (found.length === 0) return [element('p', {}, 'On no day does a charge of this vehicle differ.')]
  const rows = found.map((one): Cell[] => {
    const sides = [old, now].map((side) => ({ ...side, chosen: { ...chosen, startDate: one.from } }))
    return [
      text(day(one.from)),
      text(day(one.until)),
      text(words(one.component)),
      amount(shown(one.old)),
      amount(shown(one.now)),
      amount(shownDifference(differenceOf(one.old, one.now))),
      text(fold('Rule and sources', () => lawOfJump(one.component, sides))),
    ]
  })
  const headings = [text('From'), text('To'), text('Charge'), amount('Old'), amount('New'), amount('Difference')]
  return [
    table('Charges of this vehicle that differ', [...headings, text('Which law')], rows),
    saveRows('difference', () => [
      ['from', 'to', 'charge', 'old_cents', 'new_cents'],
      ...found.map((one) => [one.from, one.until, one.component, cellOf(one.old), cellOf(one.now)]),
    ]),
  ]
}

/** The statements of the chosen jurisdiction and of its imports first, then those of the others. */
function inWords(differences: readonly Difference[], { pricingCode = '' }: Chosen, snapshot: Snapshot): HTMLElement[] {
  const own = snapshot.specs.filter((spec) => spec.pricingCode === pricingCode)
  const near = new Set([pricingCode, ...own.flatMap(({ imports = [] }) => imports)])
  const isNear = (one: Difference) => near.has(one.pricingCode)
  const others = differences.filter((one) => !isNear(one))
  return [
    statements(`In words: ${named(pricingCode)} and what it imports`, differences.filter(isNear), snapshot),
    ...(others.length > 0
      ? [
          element(
            'details',
            {},
            element('summary', {}, 'Other jurisdictions'),
            statements('In words', others, snapshot),
          ),
        ]
      : []),
  ]
}

/** The pages that the rules of a charge rest on in the new rates on the first day of a difference, each once. */
function sourcesOf(
  { pricingCode, component, from }: Pick<Difference, 'pricingCode' | 'component' | 'from'>,
  { specs }: Snapshot,
): HTMLElement[] {
  const year = financialYearOf(dayOf(from))
  const found = specs
    .filter((spec) => spec.pricingCode === pricingCode && spec.financialYear === year)
    .flatMap(({ rules, sources }) => {
      const named = new Set(
        rules.filter((rule) => rule.component === component).flatMap(({ verification }) => verification.sources),
      )
      return sources.filter(({ name }) => named.has(name))
    })
  const links = found.map(({ label, url }) => element('li', {}, element('a', { href: url, rel: 'noopener' }, label)))
  return links.length > 0 ? [element('ul', {}, ...links)] : []
}

function statements(caption: string, differences: readonly Difference[], snapshot: Snapshot): HTMLElement {
  if (differences.length === 0) return element('p', {}, `${caption}: no figure differs.`)
  const headings = [text('From'), text('Charge'), text('What'), text('Old'), text('New'), text('Source')]
  const rows = differences.map(({ pricingCode, component, from, what, was, is, period }): Cell[] => [
    text(day(from)),
    text(`${capital(named(pricingCode))}: ${words(component)}`),
    text(what),
    text(was),
    text(period === '' ? is : `${is}, ${period}`),
    text(...sourcesOf({ pricingCode, component, from }, snapshot)),
  ])
  return table(caption, headings, rows)
}
