import { expect, test } from 'vitest'
import { charging, duty, priced, request, rule, set } from '../small-set.ts'

// Published: NSW N3, N4, N8; excess of 5 per 100 above 45,000 (Duties Act 1997 (NSW) s 266).
const nsw = charging({
  bands: [{ upTo: '45000', whole: { rate: '3', per: '100' } }, { excess: { plus: '1350', rate: '5', per: '100' } }],
})

test.each([
  [100, 300],
  [40_000, 120_000],
  [45_000, 135_000],
  [45_000.01, 135_500],
  [47_990, 150_000],
  [60_000, 210_000],
])('NSW duty on %d is as published, part units up and the edge inside its band', (dollars, cents) => {
  expect(duty(nsw, request(dollars))).toBe(cents)
})

// The table of passenger cars in reference/rates, Duties Act 2000 (Vic) s 218: whole value, per 200 or part.
const vic = charging({
  bands: [
    { upTo: '80567', whole: { rate: '8.40', per: '200' } },
    { upTo: '100000', whole: { rate: '10.40', per: '200' } },
    { upTo: '150000', whole: { rate: '14.00', per: '200' } },
    { whole: { rate: '18.00', per: '200' } },
  ],
})

test.each([
  [47_990, 201_600],
  [80_400, 337_680],
  [80_567, 338_520],
  [100_000, 520_000],
  [106_670.3, 747_600],
  [150_000, 1_050_000],
  [150_000.01, 1_351_800],
])('VIC duty on %d is on the whole value of its band', (dollars, cents) => {
  expect(duty(vic, request(dollars))).toBe(cents)
})

// Published by Transport Tasmania: 375, 38,750; the rest is the formula.
const tas = charging({
  bands: [
    { upTo: '600', flat: '20' },
    { upTo: '35000', whole: { rate: '3', per: '100' } },
    { upTo: '40000', excess: { plus: '1050', rate: '11', per: '100' } },
    { whole: { rate: '4', per: '100' } },
  ],
})

test.each([
  [375, 2_000],
  [600, 2_000],
  [600.01, 2_100],
  [38_750, 146_800],
  [39_900, 158_900],
  [40_000, 160_000],
])('TAS duty on %d has a flat start and a steep middle', (dollars, cents) => {
  expect(duty(tas, request(dollars))).toBe(cents)
})

// Duties Act 2008 (WA) s 236: rate by the published divisor to two places, then down to 5 cents.
const wa = charging({
  bands: [
    { upTo: '25000', whole: { percent: '2.75' } },
    { upTo: '50000', interpolate: { percent: '2.75', above: '25000', divisor: '6666.66', decimals: 2 } },
    { whole: { percent: '6.5' } },
  ],
  round: { to: '0.05', mode: 'down' },
})

test.each([
  [10_000, 27_500],
  [30_000, 105_000],
  [35_000, 148_750],
  [40_000, 200_000],
  [47_990, 297_535],
  [50_000, 325_000],
])('WA duty on %d uses a rate that rises with the value', (dollars, cents) => {
  expect(duty(wa, request(dollars))).toBe(cents)
})

test.each([
  ['up', 1_301, 41_664],
  ['up', 1_300, 38_688],
  ['down', 1_399, 38_688],
  ['prorata', 1_350, 40_176],
] as const)('units count %s: %d kg at 29.76 per 100 kg', (part, tareKg, cents) => {
  const spec = charging({ units: { of: 'tareKg', per: '100', part, rate: '29.76' } })
  expect(duty(spec, request(1, { vehicleGeneric: { tareKg } }))).toBe(cents)
})

test('a fact with decimals is taken as written, not as its binary neighbour', () => {
  const spec = charging({ units: { of: 'fuelConsumptionLPer100km', per: '0.1', part: 'down', rate: '1' } })
  // 6.9 / 0.1 is 68.99999999999999 in binary floating point
  expect(duty(spec, request(1, { vehicleGeneric: { fuelConsumptionLPer100km: 6.9 } }))).toBe(6_900)
})

test('the dearest of several offers is the upper bound', () => {
  const greatestOf = [
    { label: 'cheapest', amount: '275' },
    { label: 'dearest', amount: '287' },
    { label: 'other', amount: '280' },
  ]
  expect(duty(charging({ greatestOf }), request(1))).toBe(28_700)
})

test('less, atLeast, atMost and round come in that order', () => {
  const charge = { whole: { percent: '3' }, less: ['1500'], atLeast: '0', atMost: '100.03', round: { to: '0.05' } }
  expect(duty(charging(charge), request(50_000))).toBe(0)
  expect(duty(charging(charge), request(51_000))).toBe(3_000)
  expect(duty(charging(charge), request(80_000))).toBe(10_005)
})

const table = set({
  classes: [
    { name: 'private', anyOf: [{ usageType: ['consumer'] }] },
    { name: 'business', anyOf: [{ usageType: ['business'] }] },
  ],
  zones: [
    {
      name: 'AREA',
      values: [
        { zone: 'INNER', postcodes: ['3000-3006', '3008'] },
        { zone: 'OUTER', postcodes: ['3000-3999'] },
      ],
    },
  ],
  rules: [
    rule({
      component: 'BY_MASS',
      cases: [
        {
          charge: {
            table: {
              fact: 'tareKg',
              columns: ['private', 'business'],
              rows: [
                { upTo: '975', amounts: ['285', '400'] },
                {
                  upTo: '1154',
                  amounts: ['330', '-'],
                  evidence: 'estimate',
                  warning: 'The second row is an estimate.',
                },
              ],
            },
          },
        },
      ],
    }),
    rule({
      component: 'BY_ZONE',
      cases: [
        {
          charge: {
            table: {
              zone: 'AREA',
              rows: [
                { zone: 'INNER', amounts: ['551'] },
                { zone: 'OUTER', amounts: ['495'] },
              ],
            },
          },
        },
      ],
    }),
  ],
})
const tabled = (tareKg: number, postcode: string, usageType = 'consumer') =>
  priced(table, request(1, { vehicleGeneric: { tareKg }, registration: { postcode }, customer: { usageType } }))

test('a table takes the first row that reaches the fact, its edge included, and the first column that holds', () => {
  expect(tabled(975, '3000').lines).toEqual({ BY_MASS: 28_500, BY_ZONE: 55_100 })
  expect(tabled(975.5, '3008').lines).toEqual({ BY_MASS: 33_000, BY_ZONE: 55_100 })
  expect(tabled(900, '3007', 'business').lines).toEqual({ BY_MASS: 40_000, BY_ZONE: 49_500 })
})

test('a row carries its own grade and warning', () => {
  const { answer, warnings } = tabled(1_000, '3000')
  expect(answer.categories.onRoad[0]?.evidence).toBe('estimate')
  expect(warnings).toEqual(['The second row is an estimate.'])
  expect(tabled(900, '3000').answer.categories.onRoad[0]?.evidence).toBe('official')
})

test('a cell, a row or a column that is not published leaves no line and says so', () => {
  const notPublished = 'Duty is not priced: no amount is published for this vehicle.'
  for (const asked of [tabled(1_000, '3000', 'business'), tabled(2_000, '3000'), tabled(900, '3000', 'taxi')]) {
    expect(asked.lines).toEqual({ BY_ZONE: 55_100 })
    expect(asked.warnings).toEqual([notPublished])
  }
})
