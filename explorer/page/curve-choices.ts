import { dayOf, financialYearOf, isDate } from '#rates/engine/dates.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rulesOfYear } from '#rates/engine/year-listings.ts'
import { AXES } from './axes.ts'
import { ON_ROAD } from './curves.ts'
import { element } from './element.ts'
import { hashOf, type Chosen } from './request.ts'
import { words } from './words.ts'

/** The lists above a chart: of what it is a curve, and over what. */
export function curveChoices(now: Chosen, snapshot: Snapshot): HTMLElement[] {
  const { component = '' } = now
  const known = componentsOf(now, snapshot)
  // What is drawn stays in the list, also where the state has no such charge.
  const components =
    component === '' || component === ON_ROAD || known.includes(component) ? known : [...known, component]
  const subjects: [string, string][] = [
    ['', 'Drive-away price'],
    [ON_ROAD, 'On-road charges'],
    ...components.map((name): [string, string] => [name, words(name)]),
  ]
  const axes = AXES.map(({ name, label }): [string, string] => [name, label])
  return [choice('Curve of', 'component', subjects, now), choice('Over', 'over', axes, now)]
}

/** The on-road components of the state in the year of the day; those of all years where the year has no rates. */
function componentsOf({ pricingCode = '', startDate = '' }: Chosen, { jurisdictions }: Snapshot): string[] {
  const years = jurisdictions[pricingCode]?.years ?? {}
  const year = isDate(startDate) ? years[financialYearOf(dayOf(startDate))] : undefined
  const rules = (year ? [year] : Object.values(years)).flatMap((each) => rulesOfYear(each))
  return [...new Set(rules.filter(({ category }) => category === 'onRoad').map(({ component }) => component))]
}

/** Whether a state charges a component in any year; of no component, the curve is of all of them. */
export const hasCharge = (component: string, { pricingCode = '' }: Chosen, snapshot: Snapshot): boolean =>
  component === '' || component === ON_ROAD || componentsOf({ pricingCode }, snapshot).includes(component)

/** A list whose selection is in the address. */
function choice(label: string, field: string, choices: readonly [string, string][], now: Chosen): HTMLElement {
  const options = choices.map(([value, text]) =>
    element('option', { value, selected: value === (now[field] ?? '') }, text),
  )
  const select = element('select', { id: field }, ...options)
  // Without an entry in the history, as what is chosen in the form: an arrow key chooses too.
  select.addEventListener('change', () => location.replace(hashOf({ ...now, [field]: select.value })))
  return element('label', {}, label, select)
}
