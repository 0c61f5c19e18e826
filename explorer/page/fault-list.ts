import { element } from './element.ts'
import type { Rates } from './rates.ts'

/** Most faults that are listed: one slip in a file can make hundreds, and the first ones say where it is. */
const LISTED = 20

/**
 * Fills the part of the page above the view with the faults of the files. A screen reader says how many there are; the
 * list itself would take minutes.
 */
export function showFaults(place: HTMLElement, { faults, outdated }: Pick<Rates, 'faults' | 'outdated'>): void {
  const [said, list] = [place.querySelector('p')!, place.querySelector('ul')!]
  const text = faults.length === 0 ? '' : `${countOf(faults.length)}${outdated ? OUTDATED : ''}`
  // A sentence that is written anew is said anew.
  if (said.textContent !== text) said.textContent = text
  list.replaceChildren(...faults.slice(0, LISTED).map((each) => element('li', {}, each)))
  place.hidden = faults.length === 0
}

const OUTDATED = ' The page shows the rates of before.'

function countOf(count: number): string {
  if (count === 1) return 'The files have a fault.'
  return count > LISTED
    ? `The files have ${count} faults; the first ${LISTED} are listed.`
    : `The files have ${count} faults.`
}
