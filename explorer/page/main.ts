import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { atNextFrame } from './at-next-frame.ts'
import { axisOf } from './axes.ts'
import { choose, currentChoice } from './choice.ts'
import type { CurveView } from './curve-view.ts'
import { element } from './element.ts'
import { showFaults } from './fault-list.ts'
import { plainly } from './fields.ts'
import { buildForm, fillForm, readForm } from './form.ts'
import { explained } from './how.ts'
import { followRates, keepForOffline, readRates, type Rates } from './rates.ts'
import { redraw } from './redraw.ts'
import { createReleases, type OtherReleases } from './releases.ts'
import type { Chosen } from './request.ts'
import { TokenRequired } from './server.ts'
import { askForAnotherToken, askForToken } from './token.ts'
import { unreadable } from './unreadable.ts'
import { announce, linkViews } from './view-links.ts'
import { drawView, only } from './views.ts'

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

/** What an address says of the drawing, and not of the vehicle. */
const DRAWN = ['view', 'component', 'over', 'with']

const form = document.querySelector<HTMLFormElement>('#form')!
const main = document.querySelector<HTMLElement>('#view')!
const views = document.querySelector<HTMLElement>('#views')!
const said = document.querySelector<HTMLElement>('#said')!
const notice = document.querySelector<HTMLElement>('#notice')!
const faults = document.querySelector<HTMLElement>('#faults')!
const footer = document.querySelector<HTMLElement>('#source')!

let rates: Rates
let releases: OtherReleases | undefined
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
  main.replaceChildren(
    element(
      'p',
      { class: 'refused', role: 'alert' },
      `There are no rates: ${error.message} Reload this page to try again.`,
    ),
  )
  return error
}

/** The choice in the address; by default the day is the last published first day of a year that has begun. */
function chosen(): Chosen {
  const said = currentChoice()
  // A link that says only what to draw is of the first vehicle.
  const now = Object.keys(said).some((name) => !DRAWN.includes(name)) ? said : { ...FIRST, ...said }
  return now['startDate'] ? now : { ...now, startDate: today(now['pricingCode'] ?? '') }
}

/** The day on the reader's own clock, ISO. */
const isoToday = () => new Date().toLocaleDateString('sv-SE')

function today(pricingCode: string): string {
  const { start = '', end = '' } = rates.snapshot.jurisdictions[pricingCode]?.range ?? {}
  const now = isoToday()
  return now < start ? start : now > end ? end : now
}

/** Moves what is drawn to another choice; false where that choice must be drawn anew. */
let move: CurveView['follow'] = () => false

/** Draws the form, the view and the links again. */
function draw(): void {
  const now = chosen()
  const view = now['view'] ?? 'price'
  form.hidden = view === 'map'
  // Measured before anything is written: the browser would have to lay out the page for it.
  const width = chartWidth()
  const { priced, fault } = fill(now)
  linkViews(views, now, isOffered)
  const drawn =
    fault && !isDrawnWithout(view, fault)
      ? only(refusal(fault))
      : drawView(view, now, { rates, releases, names: names(), priced, width, today: isoToday() })
  move = drawn.follow
  redraw(main, drawn.parts)
  releases?.drawn()
  announce(said, main)
  saySource()
}

/** Some views are useful even when the vehicle has no price; without what was meant, only the map is. */
const isDrawnWithout = (view: string, { code }: PricingFault) =>
  view === 'map' || (view === 'difference' && code !== 'bad_request')

/** Draws only what another price moves; false where all must be drawn. */
function follow(): boolean {
  const now = chosen()
  if (!move(now)) return false
  linkViews(views, now, isOffered)
  return fill(now).fault === undefined
}

/** A comparison is offered where there is something to compare with. */
const isOffered = (view: string) => view !== 'difference' || rates.old !== undefined

/** Pixels for a chart; on a wider screen it leaves room. */
const chartWidth = () => Math.min(2000, Math.max(280, main.clientWidth))

interface Priced {
  priced?: Quote
  fault?: PricingFault
}

/** Prices the choice and fills the form; the view stays, because a click in it may have begun. */
function fill(now: Chosen): Priced {
  // A curve over a field needs no value of that field.
  const free = now['view'] === 'curve' ? axisOf(now).name : undefined
  const found = unreadable(now, names(), free) ?? explained(now, rates.snapshot)
  const priced: Priced = found instanceof PricingFault ? { fault: found } : { priced: found }
  fillForm(form, { chosen: now, jurisdictions: names(), quote: priced.priced, refused: priced.fault?.path })
  return priced
}

/** Says where the rates are from, and what is wrong with their files. */
function saySource(): void {
  showFaults(faults, rates)
  const text = sourceText()
  // A sentence that is written anew is said anew.
  if (footer.textContent !== text) footer.textContent = text
}

function sourceText(): string {
  const source = `Rates: ${rates.label}, release ${rates.release.slice(0, 19)}`
  const { copyOf } = rates
  if (copyOf) {
    const when = copyOf.toLocaleString('en-AU', { dateStyle: 'long', timeStyle: 'short' })
    return `${source}. The server does not answer: these are the rates of your last visit, ${when}.`
  }
  if (unanswered) return `${source}. No newer rates: ${unanswered}`
  return rates.unchecked ? `${source}. The files are being checked.` : source
}

const refusal = (fault: PricingFault) =>
  element(
    'div',
    { class: 'refused', role: 'alert' },
    element('h2', {}, 'This vehicle has no price'),
    element('p', {}, plainly(fault.message)),
  )

const names = (): Record<string, string> =>
  Object.fromEntries(
    Object.keys(rates.snapshot.jurisdictions).map((code) => [
      code,
      rates.sets.find(({ spec }) => spec.pricingCode === code)?.spec.jurisdiction ?? code,
    ]),
  )

const drawing = atNextFrame(draw, follow)
form.addEventListener('input', ({ target }) => {
  const { view = 'price', ...now } = chosen()
  const drawn = Object.fromEntries(Object.entries(now).filter(([name]) => name !== 'view' && DRAWN.includes(name)))
  const { postcode = '', ...fields } = readForm(form)
  // A postcode belongs to one state.
  const isElsewhere = (target as HTMLInputElement).name === 'pricingCode'
  choose({ view, ...drawn, ...fields, ...(postcode !== '' && !isElsewhere && { postcode }) })
  drawing.soon()
})
// The address holds the choice, so a link within the page cannot stand in it.
document.querySelector('.skip')!.addEventListener('click', (event) => {
  event.preventDefault()
  main.focus()
  main.scrollIntoView()
})
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('focusout', () => requestAnimationFrame(() => fill(chosen())))
addEventListener('hashchange', drawing.now)
addEventListener('resize', drawing.soon)

rates = await firstRates()
if (rates.hasReleases) {
  releases = createReleases({
    shown: () => rates.snapshot,
    changed: () => chosen()['view'] === 'curve' && drawing.now(),
    refused: (error) => askForAnotherToken(notice, error.message, goOn),
  })
}
buildForm(form, names())
drawing.now()
requestAnimationFrame(() => performance.mark('first view'))
releases?.readAgain(false)
const look = followRates(rates, {
  changed: (newer) => {
    answered()
    rates = newer
    drawing.now()
  },
  unchanged: () => {
    answered()
    rates = { ...rates, copyOf: undefined }
    saySource()
  },
  failed: (error) => {
    unanswered = error.message
    if (error instanceof TokenRequired) askForAnotherToken(notice, error.message, goOn)
    saySource()
  },
})
function answered(): void {
  const isBack = unanswered !== '' || rates.copyOf !== undefined
  unanswered = ''
  notice.replaceChildren()
  releases?.readAgain(isBack)
}
/** Looks, and has the drawn releases kept: for the first time, or again for another token. */
const lookAndKeep = () => look().then(() => releases?.keepForOffline())
const goOn = () => void lookAndKeep()
void keepForOffline(lookAndKeep)
