import { PricingFault, type Quote } from '../engine/answer.ts'
import { quote } from '../engine/quote/quote.ts'
import type { QuoteRequest } from '../engine/request.ts'
import type { Snapshot } from '../engine/snapshot.ts'

/** Cents of a component; `unpriced` when it is due and has no price, null when it has no line. */
export type Amount = number | 'unpriced' | null

/** One component that two releases price differently. */
export interface Movement {
  /** The component; `gst:CTP` when only the GST in its line differs, `answer` when one side refuses the request. */
  component: string
  /** For `answer`: the code of the refusal, or `quoted`. */
  before: Amount | string
  after: Amount | string
}

/** One request priced with two releases. */
export interface PricedTwice {
  /** Days that select the rates, ISO: of the registration, or the day that stands for it, and of the purchase. */
  days: string[]
  /** Cents; null on a side that refuses the request. */
  driveAway: [number | null, number | null]
  movements: Movement[]
}

interface Priced {
  answer: string
  amounts: ReadonlyMap<string, Amount>
  driveAway: number | null
  day?: string | undefined
}

/** Prices a request with two releases, whatever release it names in `asKnownAt`; throws what the engine throws for a value that is no request. */
export function priceBoth(request: QuoteRequest, current: Snapshot, candidate: Snapshot): PricedTwice {
  const [was, is] = [priced(request, current), priced(request, candidate)]
  const { registration, purchaseDate } = request
  const days = [was.day ?? registration.startDate, is.day ?? registration.startDate, purchaseDate]
  return { days: [...new Set(days)], driveAway: [was.driveAway, is.driveAway], movements: movementsOf(was, is) }
}

function movementsOf(was: Priced, is: Priced): Movement[] {
  if (was.answer !== is.answer) return [{ component: 'answer', before: was.answer, after: is.answer }]
  const names = [...new Set([...was.amounts.keys(), ...is.amounts.keys()])]
  return names.flatMap((component) => {
    const [before, after] = [was.amounts.get(component) ?? null, is.amounts.get(component) ?? null]
    const line = component.replace(GST_IN, '')
    const isOfLine = line !== component && was.amounts.get(line) !== is.amounts.get(line)
    return before === after || isOfLine ? [] : [{ component, before, after }]
  })
}

/** Prefix for the GST in the line of a component, as in `diff`. */
export const GST_IN = 'gst:'

function priced(request: QuoteRequest, snapshot: Snapshot): Priced {
  try {
    const { categories, totals, metadata }: Quote = quote(request, snapshot)
    const amounts = new Map<string, Amount>(metadata.unpriced.map(({ component }) => [component, 'unpriced']))
    for (const { component, value, tax } of Object.values(categories).flat()) {
      add(amounts, component, value)
      add(amounts, `${GST_IN}${component}`, tax.amount)
    }
    return { answer: 'quoted', amounts, driveAway: totals.driveAway, day: metadata.taxEffectiveDate }
  } catch (fault) {
    if (!(fault instanceof PricingFault)) throw fault
    return { answer: fault.code, amounts: new Map(), driveAway: null }
  }
}

/** A component may have several lines. */
function add(amounts: Map<string, Amount>, component: string, cents: number): void {
  const known = amounts.get(component)
  amounts.set(component, typeof known === 'number' ? known + cents : cents)
}
