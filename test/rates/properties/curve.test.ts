import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceCurve, type PriceCurve } from '#rates/engine/curve/price-curve.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { codeOr } from './every-value.ts'
import { stoppingAfter } from './parameters.ts'
import { prices, requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)

const linesOf = ({ categories, totals, metadata }: ReturnType<typeof quote>) => ({
  driveAway: totals.driveAway,
  onRoad: categories.onRoad.map(({ component, value }) => [component, value]),
  unpriced: metadata.unpriced.map(({ component }) => component).toSorted(),
})

/** Each point of the curve against the quote at its value: the curve decides once between two edges, the quote each time. */
function expectQuotes(request: QuoteRequest, { components, points }: PriceCurve): void {
  const [line, ...others] = request.pricingInputs.dutiable
  for (const { value, driveAway, cents, unpriced, fault } of points) {
    const pricingInputs = { ...request.pricingInputs, dutiable: [{ ...line!, value }, ...others] }
    const quoted = codeOr(() => linesOf(quote({ ...request, pricingInputs }, snapshot)))
    // Lines that come to less than nothing are no request; the curve has no say about them.
    if (quoted === 'bad_request') continue
    if (typeof quoted === 'string' || fault) expect(fault?.code).toBe(quoted)
    else {
      expect({ value, driveAway }).toEqual({ value, driveAway: quoted.driveAway })
      expect(components.filter((_, slot) => unpriced[slot]).toSorted()).toEqual(quoted.unpriced)
      for (const [component, charge] of quoted.onRoad)
        expect([component, cents[components.indexOf(String(component))]]).toEqual([component, charge])
    }
  }
}

test.each(quotable.map((spec) => [labelOf(spec), spec] as const))(
  '%s: whatever facts are left out, each point of the curve is the quote at its value',
  (_name, spec) => {
    const holds = (drawn: QuoteRequest, one: number, other: number) => {
      const request = { ...drawn, options: {} }
      const range = { from: Math.min(one, other), to: Math.max(one, other) + 1, points: 40 }
      const curve = codeOr(() => priceCurve(request, range, snapshot))
      if (typeof curve !== 'string') expectQuotes(request, curve)
    }
    fc.assert(fc.property(requests(spec), prices(spec), prices(spec), holds), stoppingAfter(250))
  },
)
