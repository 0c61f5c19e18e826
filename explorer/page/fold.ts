import { element } from './element.ts'

const makers = new WeakMap<HTMLDetailsElement, () => void>()

/** A fold whose parts are made when it is first opened: most never are, and some take a quote each. */
export function fold(heading: string, make: () => readonly HTMLElement[]): HTMLDetailsElement {
  const summary = element('summary', {}, heading)
  const made = element('details', {}, summary)
  let isMade = false
  const fill = () => {
    if (!isMade) made.append(...make())
    isMade = true
  }
  // A click comes before the fold opens, so it opens with its parts; a script or a search opens it without a click.
  summary.addEventListener('click', fill)
  made.addEventListener('toggle', fill)
  makers.set(made, fill)
  return made
}

/** Opens a fold with its parts. */
export function unfold(one: HTMLDetailsElement): void {
  makers.get(one)?.()
  one.open = true
}
