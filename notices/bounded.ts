import type { FigureChange } from '#rates/diff/figure-change.ts'
import { oldAndNew, short } from '#rates/diff/old-and-new.ts'
import type { Omitted } from './notice.ts'

/** The most changes that one notice lists. A new year of every jurisdiction has twice as many: too many for a mail. */
const MOST = 200

/**
 * Limits the changes of a notice. When there are too many, it lists an equal share for each pricing code and day, at
 * least one of each while there is room, figures before terms, and counts the rest. Long values are cut to the part
 * that differs. The order stays. Changes of whole sets are always listed, because the reader's task depends on them.
 */
export function bounded(
  changes: readonly FigureChange[],
  most = MOST,
): { changes: readonly FigureChange[]; more?: readonly Omitted[] } {
  if (changes.length <= most) return { changes: changes.map(shortened) }
  const groups = [...Map.groupBy(changes, ({ pricingCode, from }) => `${from} ${pricingCode}`).values()]
  const share = Math.max(
    1,
    equalShare(
      groups.map(({ length }) => length),
      most,
    ),
  )
  const sets = changes.filter(({ kind }) => kind === 'set')
  const chosen = new Set([...sets, ...groups.flatMap((group) => mostTelling(group).slice(0, share))])
  const listed = new Set([...chosen].slice(0, Math.max(most, sets.length)))
  const more = groups.flatMap((group) => omitted(group, listed))
  return { changes: changes.filter((one) => listed.has(one)).map(shortened), more }
}

/** The unlisted changes of a group, possibly all of them. */
function omitted(group: readonly FigureChange[], listed: ReadonlySet<FigureChange>): Omitted[] {
  const rest = group.filter((one) => !listed.has(one))
  if (rest.length === 0) return []
  const { pricingCode, from } = group[0]!
  const isCorrection = rest.some(({ correction }) => correction)
  return [{ pricingCode, from, count: rest.length, ...(isCorrection && { correction: true }) }]
}

/** The largest number for each group such that all groups together take at most `most`. */
function equalShare(sizes: readonly number[], most: number): number {
  let share = most
  while (sizes.reduce((sum, size) => sum + Math.min(size, share), 0) > most) share--
  return share
}

/** Whole sets first, then figures. */
const mostTelling = (changes: readonly FigureChange[]) => changes.toSorted((a, b) => rank(a) - rank(b))

const rank = ({ kind, about }: FigureChange): number => {
  if (kind === 'set') return 0
  return about === 'figure' ? 1 : 2
}

function shortened(whole: FigureChange): FigureChange {
  const [old, now] = oldAndNew(whole)
  const change = { ...whole }
  delete change.parts
  return { ...change, old: change.old === null ? null : short(old), new: change.new === null ? null : short(now) }
}
