import { expect, test } from 'vitest'
import { PricingFault } from '#rates/engine/answer.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { solveTarget } from '#rates/engine/target/target.ts'
import { charging, request, rule, set, snapshotOf } from './small-set.ts'

/** Dollars of the line found, to the cent; or the code of the refusal with its path. */
function solved(spec: RateSetSpec, asked: QuoteRequest, dollars: number, adjustLineIndex = 0): number | string {
  const target = { driveAway: Math.round(dollars * 100), adjustLineIndex, increment: 1 }
  try {
    return solveTarget(asked, target, snapshotOf(spec)).solution.solvedValue / 100
  } catch (error) {
    if (error instanceof PricingFault) return `${error.code} ${error.path}`
    throw error
  }
}

const percent = (of: string) => ({ charge: { whole: { percent: of } } })
const hundred = { charge: { flat: '100' } }
const within = (upTo: string) => ({ when: { basis: { upTo } } })

/** 10 % up to 50,000, 100 up to 50,100, 10 % above: the prices on either side of the gap do not tell of it. */
const GAPS: [string, RateSetSpec][] = [
  [
    'bands',
    charging({
      bands: [
        { upTo: '50000', whole: { percent: '10' } },
        { upTo: '50100', flat: '100' },
        { whole: { percent: '10' } },
      ],
    }),
  ],
  [
    'cases',
    set({
      rules: [
        rule({
          basis: 'PRICE',
          cases: [{ ...within('50000'), ...percent('10') }, { ...within('50100'), ...hundred }, percent('10')],
        }),
      ],
    }),
  ],
  [
    'rules',
    set({
      rules: [
        rule({ basis: 'PRICE', priority: 300, ...within('50000'), cases: [percent('10')] }),
        rule({ basis: 'PRICE', priority: 200, ...within('50100'), cases: [hundred] }),
        rule({ basis: 'PRICE', cases: [percent('10')] }),
      ],
    }),
  ],
  [
    'bands of a price that is not known without an assumption',
    set({
      bases: [
        { name: 'VALUE', cases: [{ when: { fuelType: ['BEV'] }, sum: ['dutiable', '100'] }, { sum: ['dutiable'] }] },
      ],
      rules: [
        rule({
          basis: 'VALUE',
          missing: [{ fact: 'fuelType', assume: 'ICE', warning: 'Taken as petrol.' }],
          cases: [{ ...within('50000'), ...percent('10') }, { ...within('50100'), ...hundred }, percent('10')],
        }),
      ],
    }),
  ],
]

test.each(GAPS)('a gap in duty between two edges, of %s, is found from every side', (_name, spec) => {
  // 45,545.45 + 4,554.55; in the gap the least is 50,000.01 + 100.
  expect(solved(spec, request(1), 50_100)).toBe(45_545.45)
  expect(solved(spec, request(1), 50_100.01)).toBe(50_000.01)
  expect(solved(spec, request(1), 50_150)).toBe(50_050)
  for (let target = 50_200; target <= 55_100; target += 100) expect(solved(spec, request(1), target)).toBe(50_100)
  // Above it the least is 50,100.01 + 5,010.00.
  expect(solved(spec, request(1), 55_110)).toBe(50_100)
  expect(solved(spec, request(1), 55_110.01)).toBe(50_100.01)
})

test('a charge that falls by steps as the line rises: each step is found', () => {
  const spec = set({
    bases: [{ name: 'VALUE', cases: [{ sum: ['listPrice'], minus: ['kind:disability_modification'] }] }],
    rules: [rule({ basis: 'VALUE', cases: [{ charge: { whole: { rate: '10', per: '100' } } }] })],
  })
  const dutiable = [
    { description: 'Vehicle', value: 50_000_00 },
    { description: 'Hand controls', value: 0, kind: 'disability_modification' as const },
  ]
  const asked = request(0, { pricingInputs: { dutiable, listPrice: 50_000_00 } })
  // 50,000 + 100 n + 10 (500 - n): a cent less costs 10 more, and a cent more is a cent more.
  for (let n = 1; n <= 60; n++) expect(solved(spec, asked, 55_000 + 90 * n, 1)).toBe(100 * n)
})

test('a line below nothing, a rebate, takes the price above the target', () => {
  expect(solved(charging({ flat: '-1000' }), request(1), 40_000)).toBe(41_000)
})

test('the line may come to nothing', () => {
  expect(solved(charging({ flat: '1000' }), request(1), 1_000)).toBe(0)
})

test('a line is at least a hundred million dollars less than nothing', () => {
  const vehicle = { description: 'Vehicle', value: 10_000_000_000 }
  const dutiable = [vehicle, vehicle, { description: 'Discount', value: 0 }]
  const asked = request(0, { pricingInputs: { dutiable } })
  const spec = charging({ flat: '0' })
  expect(solved(spec, asked, 100_000_000, 2)).toBe(-100_000_000)
  expect(solved(spec, asked, 99_999_999.99, 2)).toBe('TARGET_NOT_ACHIEVABLE /target/driveAway')
})

test('a vehicle that cannot be priced at any value is refused whatever the target', () => {
  const fee = rule({ component: 'FEE', cases: [{ charge: { flat: '500' } }] })
  const spec = set({ rules: [rule({ cases: [{ reject: 'INVALID_VEHICLE_INPUT' }] }), fee] })
  for (const target of [1, 5_000])
    expect(solved(spec, request(1), target)).toBe('INVALID_VEHICLE_INPUT /vehicleGeneric')
})

test('of two refusals the first is told', () => {
  const bySeats = { when: { seats: { max: '5' } }, charge: { flat: '1' } }
  const byDate = { when: { manufactureDate: { to: '2020-12-31' } }, charge: { flat: '1' } }
  const spec = set({
    rules: [
      rule({ missing: [{ fact: 'seats', reject: true }], cases: [bySeats, hundred] }),
      rule({ component: 'FEE', missing: [{ fact: 'manufactureDate', reject: true }], cases: [byDate, hundred] }),
    ],
  })
  expect(solved(spec, request(1), 5_000)).toBe('INVALID_VEHICLE_INPUT /vehicleGeneric/seats')
})

test('what was assumed for a line that is refused is not assumed for the next', () => {
  const byBody = [{ when: { bodyType: ['sedan' as const] }, charge: { flat: '5000' } }, { charge: { flat: '100' } }]
  const spec = set({
    rules: [
      rule({
        component: 'TAX',
        basis: 'PRICE',
        missing: [
          { fact: 'bodyType', assume: 'sedan', warning: 'Taken as a sedan.' },
          { fact: 'manufactureDate', reject: true },
        ],
        cases: [
          { ...within('50000'), exempt: { reason: 'Not above.', line: 'omit' } },
          { when: { bodyType: ['van'] }, exempt: { reason: 'A van.', line: 'omit' } },
          { when: { manufactureDate: { to: '2020-12-31' } }, charge: { flat: '10' } },
          { charge: { flat: '20' } },
        ],
      }),
      rule({ missing: [{ fact: 'bodyType', assume: 'ute', warning: 'Taken as a ute.' }], cases: byBody }),
    ],
  })
  expect(solved(spec, request(1), 50_100)).toBe(50_000)
  // A ute's 100, not a sedan's 5,000: one cent above the edge could be within the target.
  expect(solved(spec, request(1), 50_100.01)).toBe('INVALID_VEHICLE_INPUT /vehicleGeneric/manufactureDate')
})
