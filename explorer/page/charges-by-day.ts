import { PricingFault } from '#rates/engine/answer.ts'
import { amountsOf } from '#rates/engine/quote/amounts.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { chargesOf, type Charges } from './charge.ts'

/** The on-road charges of a vehicle on a day; undefined when the day cannot be priced. */
export function chargesOn(request: QuoteRequest, date: string, snapshot: Snapshot): Charges | undefined {
  const asked = {
    ...request,
    purchaseDate: date,
    registration: { ...request.registration, startDate: date },
    options: {},
  }
  try {
    const amounts = amountsOf(asked, snapshot)
    return amounts ? chargesOf(amounts) : undefined
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
