import { element } from './element.ts'
import { hashOf, type Chosen } from './request.ts'
import { VIEWS } from './views.ts'

/** Links to the views, and the title of the page; the links that are there stay, because one of them may have the focus. */
export function linkViews(place: HTMLElement, now: Chosen, isOffered: (view: string) => boolean): void {
  const view = now['view'] ?? 'price'
  const offered = Object.entries(VIEWS).filter(([name]) => isOffered(name))
  if (place.childElementCount !== offered.length)
    place.replaceChildren(...offered.map(([, label]) => element('a', {}, label)))
  for (const [index, [name]] of offered.entries()) {
    const link = place.children[index] as HTMLAnchorElement
    link.href = hashOf({ ...now, view: name })
    link.ariaCurrent = name === view ? 'page' : null
  }
  document.title = `${VIEWS[view] ?? VIEWS['price']} – Driveaway rate explorer`
}

/** A result is said once the input rests: each keystroke has one. */
const REST_MS = 700
let resting: ReturnType<typeof setTimeout> | undefined

/**
 * Has a screen reader say the heading of a new view or a new price, the curves of a chart with several, and why others are
 * not drawn; a refusal of the vehicle says itself.
 */
export function announce(place: HTMLElement, view: HTMLElement): void {
  clearTimeout(resting)
  resting = setTimeout(() => {
    const isRefusal = view.querySelector('[role=alert]') !== null
    const text = isRefusal ? '' : spoken(view)
    if (place.textContent !== text) place.textContent = text
  }, REST_MS)
}

function spoken(view: HTMLElement): string {
  const texts = (parts: string) => [...view.querySelectorAll(parts)].map(({ textContent }) => textContent)
  const curves = texts('.key').join('; ')
  const parts = [view.querySelector('h2')?.textContent ?? '', curves === '' ? '' : `Curves: ${curves}.`]
  return [...parts, ...texts('.undrawn')].filter((part) => part !== '').join(' ')
}
