import { dayBefore, yearDates } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { rateSetName } from '../published/financial-year.ts'
import type { FigureChange } from './figure-change.ts'
import { changesOf } from './figures.ts'
import { withFollowers } from './followers.ts'
import { heldAt, specOf, type ComparedSide, type HoldReason } from './held-sets.ts'
import type { Portfolio } from './portfolio.ts'
import { priceEffects, type PriceEffect } from './prices.ts'
import { withReturned } from './returned-sets.ts'
import { subjectOn } from './timeline.ts'
import { digestWithoutWords } from './without-words.ts'

/** A rate set whose digest differs; null on the side that lacks it. */
export interface ChangedSet extends HoldReason {
  name: string
  oldDigest: string | null
  newDigest: string | null
  /** Whether only texts differ: names, descriptions, sources, examples. */
  wordsOnly: boolean
  /** Whether the set was withdrawn on the old side. */
  wasWithdrawn?: true
}

export interface Comparison {
  old: string
  new: string
  today: string
  /** The release that will be published. */
  release: string
  sets: ChangedSet[]
  changes: FigureChange[]
  /** Quotes of the portfolio whose figures change, starting with the pricing code and day of the largest difference. */
  prices: PriceEffect[]
}

/** The differences between two sides: digests, figures, and the prices of a portfolio. Pure; `today` is ISO. */
export function compareSets(
  old: ComparedSide,
  now: ComparedSide,
  { today, portfolio }: { today: string; portfolio: Portfolio },
): Comparison {
  const changes = withFollowers(changesOf(old.specs, now.specs, today), now.specs)
  const sets = changedSets(old, now)
  return {
    old: old.label,
    new: now.label,
    today,
    release: now.snapshot.release,
    sets,
    changes,
    prices: effectsOf({ sets, changes, portfolio }, old, now),
  }
}

function changedSets(old: ComparedSide, now: ComparedSide): ChangedSet[] {
  const names = [...new Set([...Object.keys(now.snapshot.digests), ...Object.keys(old.snapshot.digests)])].sort()
  return names.flatMap((name) => {
    const oldDigest = old.snapshot.digests[name] ?? null
    const newDigest = now.snapshot.digests[name] ?? null
    if (oldDigest === newDigest) return []
    const wordsOnly = oldDigest !== null && newDigest !== null && withoutWords(old, name) === withoutWords(now, name)
    const again = newDigest !== null && isWithdrawn(old, name) ? { wasWithdrawn: true as const } : {}
    return [{ name, oldDigest, newDigest, wordsOnly, ...again, ...heldAt(name, old, now) }]
  })
}

const isWithdrawn = ({ specs }: ComparedSide, name: string): boolean =>
  specs.some((one) => one.withdrawn === true && rateSetName(one.pricingCode, one.financialYear) === name)

/** The digests of a set and of its imports, without their texts. */
function withoutWords(side: ComparedSide, name: string): string {
  const { specs } = side
  const spec = specOf(side, name)
  const isImport = (one: RateSetSpec) =>
    one.financialYear === spec?.financialYear && spec.imports?.includes(one.pricingCode)
  const all = [...(spec ? [spec] : []), ...specs.filter(isImport)]
  return all.map(digestWithoutWords).join(' ')
}

interface Changed {
  sets: readonly ChangedSet[]
  changes: readonly FigureChange[]
}

function effectsOf(
  { portfolio, ...changed }: Changed & { portfolio: Portfolio },
  old: ComparedSide,
  now: ComparedSide,
): PriceEffect[] {
  const sides = { old, returned: withReturned(old, now), now }
  const groups = Object.keys(now.snapshot.jurisdictions).flatMap((pricingCode) =>
    daysOf(pricingCode, changed, now.specs).flatMap((day) => {
      const spec = subjectOn(now.specs, pricingCode, day)?.spec
      const before = beforeOf(pricingCode, day, sides)
      if (!spec || !before) return []
      return [priceEffects({ pricingCode, before, after: { snapshot: now.snapshot, day }, spec, portfolio })]
    }),
  )
  return groups.sort((a, b) => largest(b) - largest(a)).flat()
}

const largest = (effects: readonly PriceEffect[]) =>
  Math.max(0, ...effects.map(({ least, most }) => Math.max(Math.abs(least), Math.abs(most))))

/**
 * The days from which the rates of a pricing code, its imports included, differ; plus the first day of each of its sets
 * in which more than texts changed, because a price may change without a statement that does. Changes of grades are
 * left out: they change no price.
 */
function daysOf(pricingCode: string, { sets, changes }: Changed, specs: readonly RateSetSpec[]): string[] {
  const own = specs.filter((one) => one.pricingCode === pricingCode)
  const codes = [pricingCode, ...own.flatMap((one) => one.imports ?? [])]
  const said = changes.filter((one) => one.about !== 'evidence' && codes.includes(one.pricingCode))
  const changed = own.filter((one) =>
    sets.some(({ name, wordsOnly }) => !wordsOnly && name === rateSetName(one.pricingCode, one.financialYear)),
  )
  const firstDays = changed.map(({ financialYear }) => yearDates(financialYear).startDate)
  return [...new Set([...said.map(({ from }) => from), ...firstDays])].sort()
}

interface Sides {
  old: ComparedSide
  /** The old side, with the sets that were withdrawn there and are published again. */
  returned: ReturnType<typeof withReturned>
  now: ComparedSide
}

/**
 * The rates to compare a day with: the old sets, or, when these never covered the day, the new sets on the day before.
 */
function beforeOf(pricingCode: string, day: string, { old, returned, now }: Sides) {
  const covering = [old, returned].find((side) => side && subjectOn(side.specs, pricingCode, day))
  if (covering) return { snapshot: covering.snapshot, day }
  const eve = dayBefore(day)
  return subjectOn(now.specs, pricingCode, eve) ? { snapshot: now.snapshot, day: eve } : undefined
}
