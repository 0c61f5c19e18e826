import { PricingFault } from '#rates/engine/answer.ts'
import { amountsOf } from '#rates/engine/quote/amounts.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'

/** Cents of each on-road component. */
export type Lines = ReadonlyMap<string, number>

/** The on-road lines of a vehicle on a day; undefined when the day cannot be priced. */
export function linesOn(request: QuoteRequest, date: string, snapshot: Snapshot): Lines | undefined {
  const asked = {
    ...request,
    purchaseDate: date,
    registration: { ...request.registration, startDate: date },
    options: {},
  }
  try {
    return amountsOf(asked, snapshot)?.onRoad
  } catch (error) {
    if (error instanceof PricingFault) return undefined
    throw error
  }
}

/** Every day of a range, ISO, both ends inclusive. */
export function* daysFrom(start: string, end: string): Generator<string> {
  const date = new Date(`${start}T00:00:00Z`)
  for (let iso = start; iso <= end; iso = date.toISOString().slice(0, 10)) {
    yield iso
    date.setUTCDate(date.getUTCDate() + 1)
  }
}
