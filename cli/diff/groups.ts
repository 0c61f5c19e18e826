import type { ChangedSet } from '#rates/diff/compare-sets.ts'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import type { PriceEffect } from '#rates/diff/prices.ts'
import { isHeld } from '#rates/diff/held-sets.ts'
import { pinnedAt } from '#rates/published/pin.ts'
import { dollars, signed } from '../money.ts'

/** What changes for one pricing code on one day. */
export interface Turn {
  pricingCode: string
  from: string
  correction: boolean
  parts: { component: string; kind: FigureChange['kind']; changes: FigureChange[]; sources: string[] }[]
}

const ORDER = ['figure', 'terms', 'evidence']

/** Changes by pricing code and day, then by component; figures come before what they are based on. */
export function turnsOf(changes: readonly FigureChange[]): Turn[] {
  const turns = Map.groupBy(changes, ({ pricingCode, from }) => `${pricingCode} ${from}`)
  return [...turns.values()].map((own) => {
    const { pricingCode, from, correction = false } = own[0]!
    const parts = Map.groupBy(own, ({ kind, component }) => `${kind} ${component}`)
    return { pricingCode, from, correction, parts: [...parts.values()].map(partOf) }
  })
}

function partOf(changes: FigureChange[]): Turn['parts'][number] {
  const { component, kind } = changes[0]!
  const sorted = changes.toSorted((a, b) => ORDER.indexOf(a.about) - ORDER.indexOf(b.about))
  return { component, kind, changes: sorted, sources: [...new Set(changes.flatMap(({ sources }) => sources))] }
}

/** Effects by pricing code and day, in their order. */
export const effectGroups = (prices: readonly PriceEffect[]): PriceEffect[][] => [
  ...Map.groupBy(prices, ({ pricingCode, from }) => `${pricingCode} ${from}`).values(),
]

/** Returns `+1.00`, or `-2.00 to +3.00`. */
export const range = ({ least, most }: PriceEffect): string =>
  least === most ? signed(least) : `${signed(least)} to ${signed(most)}`

export const amountOf = (cents: number | null): string => (cents === null ? 'no line' : dollars(cents))

/** Returns `drive-away 100.00 → 101.00` for the vehicle with the largest difference. */
export function driveAwayOf({ largest }: PriceEffect): string {
  const [before, after] = largest.driveAway.map((cents) => (cents === null ? 'not priced' : dollars(cents)))
  return `drive-away ${before} → ${after}`
}

/** The change of a set, as text. */
export function setWords(set: ChangedSet): string {
  const { oldDigest, newDigest, wordsOnly, wasWithdrawn } = set
  if (isHeld(set)) return heldWords(set)
  if (oldDigest === null) return wasWithdrawn ? 'published again' : 'new'
  if (newDigest === null) return 'removed'
  return wordsOnly ? 'only names, descriptions, warnings, sources or examples differ' : 'changed'
}

function heldWords({ pin, heldBy, waitsFor, byImportAlone }: ChangedSet): string {
  if (pin !== undefined) return `${pinnedAt(pin)}: this content is not published`
  if (heldBy !== undefined) return `held, because ${heldBy} imports it and is pinned: this content is not published`
  if (byImportAlone) return `changed by ${waitsFor} alone, which is held: this content is not published`
  return `changed, but ${waitsFor}, which it imports, is held: published without the change of that one, under another digest, or not at all`
}

/** The last line of a comparison. A release does not contain new content of a pinned set. */
export function releaseWords(release: string, sets: readonly ChangedSet[]): string {
  return sets.some(isHeld) ? `${release} once nothing is pinned` : release
}
