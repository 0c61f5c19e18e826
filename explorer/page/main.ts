import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import { calendarView } from './calendar-view.ts'
import { AXES } from './axes.ts'
import { comparison } from './compared.ts'
import { ON_ROAD } from './curves.ts'
import { curveView } from './curve-view.ts'
import { differenceView } from './difference-view.ts'
import { element } from './element.ts'
import { buildForm, fillForm, readForm } from './form.ts'
import { mapView } from './map-view.ts'
import { priceView } from './price-view.ts'
import { followRates, readRates, TokenRequired, type Rates } from './rates.ts'
import { chosenOf, hashOf, requestOf, type Chosen } from './request.ts'
import { askForToken } from './token.ts'
import { words } from './words.ts'

/** The first choice of the page: a new SUV of $90,000 in Melbourne. */
const FIRST: Chosen = {
  view: 'price',
  pricingCode: 'AU_VIC',
  value: '90000',
  bodyType: 'suv',
  fuelType: 'ICE',
  condition: 'new',
  termMonths: '12',
  postcode: '3000',
  co2GPerKm: '150',
  cylinders: '4',
}
const VIEWS: Readonly<Record<string, string>> = {
  price: 'Price',
  curve: 'Curve',
  calendar: 'Calendar',
  map: 'Map',
  difference: 'Difference',
}

/** The views that are useful even when the vehicle has no price. */
const WITHOUT_PRICE = ['map', 'difference']

const form = document.querySelector<HTMLFormElement>('#form')!
const main = document.querySelector<HTMLElement>('#view')!
const views = document.querySelector<HTMLElement>('#views')!
const footer = document.querySelector<HTMLElement>('#source')!

let rates: Rates
/** Why the last look for newer rates failed; empty where it did not. */
let unanswered = ''

/** The rates, as soon as the server gives them; asks for a token as often as the server does. */
async function firstRates(): Promise<Rates> {
  for (;;) {
    try {
      return await readRates()
    } catch (error) {
      if (!(error instanceof TokenRequired)) throw failedToStart(error as Error)
      await askForToken(main, error.message)
    }
  }
}

function failedToStart(error: Error): Error {
  main.replaceChildren(element('p', { class: 'refused', role: 'alert' }, `There are no rates: ${error.message}`))
  return error
}

/** The choice in the address; by default the day is the last published first day of a year that has begun. */
function chosen(): Chosen {
  const said = chosenOf(location.hash)
  const now = Object.keys(said).length > 0 ? said : FIRST
  return now['startDate'] ? now : { ...now, startDate: today(now['pricingCode'] ?? '') }
}

function today(pricingCode: string): string {
  const { start = '', end = '' } = rates.snapshot.jurisdictions[pricingCode]?.range ?? {}
  const now = new Date().toISOString().slice(0, 10)
  return now < start ? start : now > end ? end : now
}

/** Draws the form, the view and the links again. */
function draw(): void {
  const now = chosen()
  const { priced, fault } = attempt(now)
  fillForm(form, { chosen: now, jurisdictions: names(), quote: priced, refused: fault?.path })
  const view = now['view'] ?? 'price'
  views.replaceChildren(
    ...Object.entries(VIEWS)
      .filter(([name]) => name !== 'difference' || rates.old)
      .map(([name, label]) =>
        element('a', { href: hashOf({ ...now, view: name }), ...(name === view && { 'aria-current': 'page' }) }, label),
      ),
  )
  const focused = document.activeElement?.id
  main.replaceChildren(...(fault && !WITHOUT_PRICE.includes(view) ? [refusal(fault)] : drawView(view, now, priced)))
  // The view's lists are recreated with it, so focus is restored for keyboard users.
  if (focused) document.getElementById(focused)?.focus()
  const faults = rates.faults.map((each) => element('li', {}, each))
  const heading = rates.outdated ? 'The files have faults; these are the rates of before:' : 'The files have faults:'
  const faultList = faults.length > 0 ? [element('p', { class: 'refused' }, heading), element('ul', {}, ...faults)] : []
  const source = `Rates: ${rates.label}, release ${rates.release.slice(0, 19)}`
  footer.replaceChildren(...faultList, unanswered ? `${source}. No newer rates: ${unanswered}` : source)
}

function drawView(view: string, now: Chosen, priced: Quote | undefined): HTMLElement[] {
  if (view === 'difference') {
    const choices = element('div', { class: 'choices' }, componentChoice(now, priced), axisChoice(now))
    return differenceView(now, rates, choices)
  }
  if (view === 'map') return mapView(rates.snapshot, names())
  if (view === 'calendar') return calendarView(requestOf(now), rates.snapshot)
  if (view === 'curve') {
    const choices = [componentChoice(now, priced), axisChoice(now), ...comparison(now, rates.snapshot, names())]
    return [element('div', { class: 'choices' }, ...choices), ...curveView(now, rates.snapshot, names())]
  }
  return priced ? priceView(priced) : []
}

function componentChoice(now: Chosen, priced: Quote | undefined): HTMLElement {
  const components = [...new Set(priced?.categories.onRoad.map(({ component }) => component))]
  const choices = [
    ['', 'Drive-away price'],
    [ON_ROAD, 'On-road charges'],
    ...components.map((name) => [name, words(name)]),
  ]
  return choice('Curve of', 'component', choices as [string, string][], now)
}

const axisChoice = (now: Chosen) =>
  choice(
    'Over',
    'over',
    AXES.map(({ name, label }) => [name, label]),
    now,
  )

/** A list whose selection is in the address. */
function choice(
  label: string,
  field: string,
  choices: readonly (readonly [string, string])[],
  now: Chosen,
): HTMLElement {
  const options = choices.map(([value, text]) =>
    element('option', { value, selected: value === (now[field] ?? '') }, text),
  )
  const select = element('select', { id: field }, ...options)
  select.addEventListener('change', () => (location.hash = hashOf({ ...now, [field]: select.value })))
  return element('label', {}, label, select)
}

function attempt(now: Chosen): { priced?: Quote; fault?: PricingFault } {
  try {
    return { priced: quote(requestOf(now), rates.snapshot) }
  } catch (error) {
    if (error instanceof PricingFault) return { fault: error }
    throw error
  }
}

const refusal = (fault: PricingFault) =>
  element(
    'div',
    { class: 'refused', role: 'alert' },
    element('h2', {}, 'This vehicle has no price'),
    element('p', {}, fault.message),
  )

const names = (): Record<string, string> =>
  Object.fromEntries(
    Object.keys(rates.snapshot.jurisdictions).map((code) => [
      code,
      rates.sets.find(({ spec }) => spec.pricingCode === code)?.spec.jurisdiction ?? code,
    ]),
  )

form.addEventListener('input', () => {
  const { view = 'price', ...now } = chosen()
  const drawn = Object.fromEntries(Object.entries(now).filter(([name]) => ['component', 'over', 'with'].includes(name)))
  history.replaceState(null, '', hashOf({ view, ...drawn, ...readForm(form) }))
  draw()
})
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('focusout', () => requestAnimationFrame(draw))
addEventListener('hashchange', draw)

rates = await firstRates()
buildForm(form, names())
draw()
followRates(
  rates,
  (newer) => {
    rates = newer
    unanswered = ''
    draw()
  },
  (message) => {
    unanswered = message
    draw()
  },
)
