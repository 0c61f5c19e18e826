import type { FigureChange } from './figures.ts'

const LONGEST = 160

/** Old and new of a change; of two long lists only what one of them has. */
export function oldAndNew({ about, old, new: now }: FigureChange): [string, string] {
  // It was not free of charge before.
  if (old === null) return [about === 'figure' ? 'not priced before' : 'not so before', now ?? 'no longer']
  if (now === null || old.length + now.length < LONGEST) return [old, now ?? 'no longer']
  const [were, are] = [partsOf(old), partsOf(now)]
  const [gone, come] = [were.filter((part) => !are.includes(part)), are.filter((part) => !were.includes(part))]
  if (gone.length + come.length === 0) return ['another order', 'of the same']
  return [
    gone.length > 0 ? `with ${short(gone.join(', '))}` : 'without',
    come.length > 0 ? `with ${short(come.join(', '))}` : 'without',
  ]
}

const partsOf = (text: string) => text.split(/, | \| |; /)

/** A text cut to what a line of a table takes. */
export const short = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
