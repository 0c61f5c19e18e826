import { unfold } from './fold.ts'

/** Replaces what is in `place`; what was unfolded stays unfolded, and the focus stays where it was. */
export function redraw(place: HTMLElement, parts: readonly HTMLElement[]): void {
  const unfolded = new Set(
    detailsIn(place)
      .filter((each) => each.open)
      .map(keyOf),
  )
  const { activeElement } = document
  const focused = activeElement !== place && place.contains(activeElement) ? activeElement : null
  const focusedFold = focused?.matches('summary') ? keyOf(focused.parentElement as HTMLDetailsElement) : undefined
  place.replaceChildren(...parts)
  for (const each of detailsIn(place)) {
    if (unfolded.has(keyOf(each))) unfold(each)
    if (keyOf(each) === focusedFold) each.querySelector('summary')?.focus()
  }
  if (focused) focusAgain(focused, place)
  requestAnimationFrame(() => markWide(place))
}

function focusAgain(focused: Element, place: HTMLElement): void {
  if (focused.id !== '') document.getElementById(focused.id)?.focus()
  if (!place.contains(document.activeElement)) successorOf(focused, place).focus()
}

/** What has the focus after something has gone: for a curve, the list that adds one or why there is none; else the view. */
const successorOf = (gone: Element, place: HTMLElement): HTMLElement =>
  (gone.matches('button, #compare') ? place.querySelector<HTMLElement>('#compare, #full') : null) ?? place

/** Says of each table that is wider than its place that it scrolls; after the layout, which takes longer in between. */
function markWide(place: HTMLElement): void {
  const tables = [...place.querySelectorAll('.scroll')]
  const wide = tables.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  for (const [index, one] of tables.entries()) one.classList.toggle('wide', wide[index])
}

const detailsIn = (place: HTMLElement) => [...place.querySelectorAll('details')]

/** The heading of a fold with the first cells of its row, which tell it from the folds of other rows. */
function keyOf(fold: HTMLDetailsElement): string {
  const cells = [...(fold.closest('tr')?.children ?? [])].slice(0, 2).filter((cell) => !cell.contains(fold))
  return [...cells, fold.querySelector('summary')].map((each) => each?.textContent).join(' ')
}
