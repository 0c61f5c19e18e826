import { unfold } from './fold.ts'

/** Replaces what is in `place`; what was unfolded stays unfolded, and the focus stays where it was. */
export function redraw(place: HTMLElement, parts: readonly HTMLElement[]): void {
  const unfolded = new Set(
    detailsIn(place)
      .filter((each) => each.open)
      .map(keyOf),
  )
  const focused = document.activeElement
  const focusedDetails = focused?.matches('summary') ? keyOf(focused.parentElement as HTMLDetailsElement) : undefined
  place.replaceChildren(...parts)
  for (const each of detailsIn(place)) {
    if (unfolded.has(keyOf(each))) unfold(each)
    if (keyOf(each) === focusedDetails) each.querySelector('summary')?.focus()
  }
  if (focused?.id) document.getElementById(focused.id)?.focus()
}

const detailsIn = (place: HTMLElement) => [...place.querySelectorAll('details')]

/** The heading of a fold with the first cells of its row, which tell it from the folds of other rows. */
function keyOf(fold: HTMLDetailsElement): string {
  const cells = [...(fold.closest('tr')?.children ?? [])].slice(0, 2).filter((cell) => !cell.contains(fold))
  return [...cells, fold.querySelector('summary')].map((each) => each?.textContent).join(' ')
}
