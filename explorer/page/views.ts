import type { Quote } from '#rates/engine/answer.ts'
import { calendarView } from './calendar-view.ts'
import { comparison } from './compared.ts'
import { curveChoices } from './curve-choices.ts'
import { curveView, type CurveView } from './curve-view.ts'
import { differenceView } from './difference-view.ts'
import { element } from './element.ts'
import { mapView } from './map-view.ts'
import { priceView } from './price-view.ts'
import type { Rates } from './rates.ts'
import type { OtherReleases } from './releases.ts'
import type { Chosen } from './request.ts'

/** The views in the order of their links, with the text of each link. */
export const VIEWS: Readonly<Record<string, string>> = {
  price: 'Price',
  curve: 'Curve',
  calendar: 'Calendar',
  map: 'Map',
  difference: 'Difference',
}

/** What a view is drawn from, besides the choice. */
export interface Around {
  rates: Rates
  /** Undefined where the server has no other releases. */
  releases: OtherReleases | undefined
  /** Name of each jurisdiction by its pricing code. */
  names: Readonly<Record<string, string>>
  /** The quote for the choice; undefined when it is refused. */
  priced: Quote | undefined
  /** Pixels for a chart. */
  width: number
  /** ISO. */
  today: string
}

/** The elements of a view; an unknown name is the price. */
export function drawView(
  view: string,
  now: Chosen,
  { rates, releases, names, priced, width, today }: Around,
): CurveView {
  const { snapshot, old, oldSnapshot } = rates
  const other = old && oldSnapshot && { label: old.label, snapshot: oldSnapshot }
  const choices = () => curveChoices(now, snapshot)
  const above = (...parts: HTMLElement[]) => element('div', { class: 'choices' }, ...parts)
  if (view === 'difference') return only(...differenceView(now, rates, { choices: above(...choices()), width }))
  if (view === 'map') return only(...mapView(snapshot, names))
  if (view === 'calendar') {
    return only(...calendarView(now, snapshot, { today, published: other }))
  }
  if (view === 'curve') {
    const sides = { label: rates.label, snapshot, other, releases }
    const { parts, follow } = curveView(now, sides, { names, width })
    return { parts: [above(...choices(), ...comparison(now, sides, names)), ...parts], follow }
  }
  return only(...(priced ? priceView(priced) : []))
}

/** Elements that are drawn anew for every choice. */
export const only = (...parts: HTMLElement[]): CurveView => ({ parts, follow: () => false })
