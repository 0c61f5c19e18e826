import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Charge, Charges } from './charge.ts'
import { chargesOn, daysFrom } from './charges-by-day.ts'

/** A charge of the vehicle that differs between the two sides in a range of ISO days; null when there is no line. */
export interface Repriced {
  from: string
  until: string
  component: string
  old: Charge | null
  now: Charge | null
}

/** Prices every day of either side with both; consecutive days with the same difference are one entry. */
export function repriced(request: QuoteRequest, old: Snapshot, now: Snapshot): Repriced[] {
  const found: Repriced[] = []
  let running: Repriced[] = []
  for (const date of daysOf(request.pricingCode, [old, now])) {
    running = differences(date, chargesOn(request, date, old), chargesOn(request, date, now)).map((one) => {
      const before = running.find((other) => isAlike(one, other))
      if (before) before.until = date
      else found.push(one)
      return before ?? one
    })
  }
  return found
}

const isAlike = (one: Repriced, other: Repriced) =>
  one.component === other.component && one.old === other.old && one.now === other.now

function daysOf(pricingCode: string, snapshots: readonly Snapshot[]): Iterable<string> {
  const ranges = snapshots.flatMap(({ jurisdictions }) => jurisdictions[pricingCode]?.range ?? [])
  const start = ranges.map((range) => range.start).toSorted()[0]
  const end = ranges
    .map((range) => range.end)
    .toSorted()
    .at(-1)
  return start === undefined || end === undefined ? [] : daysFrom(start, end)
}

function differences(date: string, were: Charges | undefined, are: Charges | undefined): Repriced[] {
  return [...new Set([...(were?.keys() ?? []), ...(are?.keys() ?? [])])]
    .map((component) => ({ component, old: chargeIn(were, component), now: chargeIn(are, component) }))
    .filter(({ old, now }) => old !== now)
    .map((one) => ({ from: date, until: date, ...one }))
}

/** A side that cannot price the day at all does not say that there is no charge. */
const chargeIn = (charges: Charges | undefined, component: string): Charge | null =>
  charges ? (charges.get(component) ?? null) : 'unpriced'
