import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quote } from '#rates/engine/quote.ts'
import { PricingFault } from '#rates/engine/answer.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { naiveQuote, type NaiveQuote } from './naive.ts'
import { Rejected } from './naive-facts.ts'
import { parameters } from './parameters.ts'
import { requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)

/** Lines in cents by component and the total, or the code of the refusal. */
type Outcome = Pick<NaiveQuote, 'lines' | 'driveAway'> | string

function compiled(request: QuoteRequest, from: Snapshot): Outcome {
  try {
    const { categories, totals } = quote(request, from)
    return {
      lines: Object.fromEntries(categories.onRoad.map(({ component, value }) => [component, value])),
      driveAway: totals.driveAway,
    }
  } catch (error) {
    if (error instanceof PricingFault) return error.code
    throw error
  }
}

function interpreted(request: QuoteRequest): Outcome {
  try {
    const { lines, driveAway } = naiveQuote(request, withEveryForm)
    return { lines, driveAway }
  } catch (error) {
    if (error instanceof Rejected) return error.message
    throw error
  }
}

test.each(quotable.map((spec) => [labelOf(spec), spec] as const))(
  '%s: compiled and interpreted agree to the cent',
  (_name, spec) => {
    fc.assert(
      fc.property(requests(spec), (request) => {
        expect(compiled(request, snapshot)).toEqual(interpreted(request))
      }),
      parameters,
    )
  },
)

test('both readings price most requests, so that agreement is not agreement on refusals', () => {
  const sample = quotable.flatMap((spec) => fc.sample(requests(spec), { numRuns: 100, seed: parameters.seed }))
  const priced = sample
    .map(interpreted)
    .filter((outcome) => typeof outcome !== 'string' && Object.keys(outcome.lines).length > 1)
  expect(priced.length).toBeGreaterThan(sample.length * 0.6)
})

// Found by the property above: where a line cannot be priced, a class that is known but stands in the `when` of a
// concession's basis adjustment is put down as unknown, and its missing entry taken. Remove `fails` once it is mended.
test('a class that is known is not assumed otherwise because another line is not priced', () => {
  const [spec] = quotable.filter(({ pricingCode }) => pricingCode === 'AU_ZZ').map((one) => structuredClone(one))
  spec!.concessions!.find(({ type }) => type === 'FIXED')!.adjustments[1]!.when = { not: ['old'] }
  const known = { condition: 'new', manufactureDate: '2020-03-01', firstRegisteredDate: '2023-08-28' } as const
  const { metadata } = quote(
    {
      pricingCode: 'AU_ZZ',
      showroomCode: 'TEST01',
      purchaseDate: '2026-08-28',
      vehicleGeneric: known,
      pricingInputs: { dutiable: [{ description: 'vehicle', value: 70_000_50, kind: 'vehicle' }] },
      registration: { startDate: '2026-08-28', termMonths: 1 },
      customer: { concession: { hasConcession: true, type: 'FIXED' } },
    },
    snapshotOf([...withEveryForm.filter(({ pricingCode }) => pricingCode === 'AU'), spec!]),
  )
  expect(metadata.warnings).not.toContain('Taken as old.')
})
