import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareSets } from '#rates/diff/compare-sets.ts'
import { edgePrices } from '#rates/diff/edge-prices.ts'
import { parsePortfolio } from '#rates/diff/parse-portfolio.ts'
import { BODY_TYPES, FUEL_TYPES } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets, snapshotOf } from '../properties/sets.ts'

const portfolio = parsePortfolio(readFileSync('rates/diff/portfolio.yaml', 'utf8'))
const wanted = sets.filter(
  ({ pricingCode, financialYear }) => ['AU', 'AU_VIC'].includes(pricingCode) && financialYear === '2026-2027',
)
const side = (label: string, specs: RateSetSpec[]) => ({ label, specs, snapshot: snapshotOf(specs) })

function compared(edit: (vic: RateSetSpec) => void) {
  const now = structuredClone(wanted)
  edit(now.find(({ pricingCode }) => pricingCode === 'AU_VIC')!)
  return compareSets(side('old', wanted), side('now', now), { today: '2026-11-21', portfolio })
}

test('the portfolio has every body and every fuel', () => {
  expect(Object.keys(portfolio.bodies).sort()).toEqual([...BODY_TYPES].sort())
  expect(Object.keys(portfolio.fuels).sort()).toEqual([...FUEL_TYPES].sort())
})

// Duties Act 2000 (Vic) s 218: 10.40 for each 200 to 100,000, 14.00 above; the basis is the price with luxury car tax.
test('a band edge that moves by a dollar is seen, because there is a price on both sides of it', () => {
  const { prices } = compared((vic) => void (vic.rules[0]!.cases[3]!.charge!.bands![0]!.upTo = '100001'))
  expect(prices.map(({ component }) => component)).toEqual(['STAMP_DUTY'])
  // 501 units of 200 at 14.00 were 7,014.00, and are 5,210.40 at 10.40.
  expect(prices[0]!.largest).toMatchObject({ before: 701_400, after: 521_040 })
})

// (price - 80,809) x 10/11 x 33 % is the tax above the threshold; with it the price makes 100,000.
test('the price at an edge takes into account what luxury car tax adds', () => {
  const request = {
    pricingCode: 'AU_VIC',
    showroomCode: '',
    purchaseDate: '2026-08-01',
    vehicleGeneric: {
      bodyType: 'sedan',
      fuelType: 'ICE',
      condition: 'new' as const,
      co2GPerKm: 170,
      fuelConsumptionLPer100km: 7.4,
    },
    pricingInputs: { dutiable: [{ description: 'Vehicle', value: 0, kind: 'vehicle' as const }] },
    registration: { startDate: '2026-08-01' },
  }
  const exact = (100_000 + 80_809 * 0.3) / 1.3
  const found = edgePrices(request, snapshotOf(wanted))
  expect(found).toContain(80_809_00)
  expect(found).toContain(80_809_01)
  expect(found.some((cents) => Math.abs(cents / 100 - exact) < 0.02)).toBe(true)
})

test('a term, a zone and a concession are each priced', () => {
  const term = compared((vic) => void (vic.termScales![0]!.terms[2]!.factor = '1/3'))
  expect(term.prices.find(({ component }) => component === 'CTP')!.largest.vehicle).toMatch(/, 3 months$/)
  const zone = compared(
    (vic) =>
      void (vic.rules
        .find(({ component }) => component === 'CTP')!
        .cases.find(({ charge }) => charge?.table)!.charge!.table!.rows[2]!.amounts[0] = '430'),
  )
  expect(zone.prices.find(({ component }) => component === 'CTP')).toMatchObject({ least: 100, most: 100 })
})

test('a set that is published again is priced against what it charged before it was withdrawn', () => {
  const years = sets.filter(({ pricingCode }) => ['AU', 'AU_VIC'].includes(pricingCode))
  const edited = (edit: (vic: RateSetSpec) => void) => {
    const copy = structuredClone(years)
    edit(copy.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2026-2027')!)
    return copy
  }
  const withdrawn = side(
    'old',
    edited((vic) => void (vic.withdrawn = true)),
  )
  const pricesOf = (now: RateSetSpec[]) =>
    compareSets(withdrawn, side('now', now), { today: '2026-11-21', portfolio }).prices
  expect(pricesOf(years)).toEqual([])
  // 20.42 fee units of $17.37, not of $17.27: $354.70, not $352.70.
  const dearer = pricesOf(edited((vic) => void (vic.parameters![0]!.values[0]!.value = '17.37')))
  expect(dearer.map(({ component, from }) => `${component} ${from}`)).toContain('REGISTRATION 2026-07-01')
  expect(dearer.map(({ component }) => component)).not.toContain('STAMP_DUTY')
})

test('words alone change a digest and no figure', () => {
  const {
    sets: changed,
    changes,
    prices,
  } = compareSets(
    side('old', wanted),
    {
      ...side('now', wanted),
      snapshot: { ...snapshotOf(wanted), digests: { 'au-vic-fy27': 'other', 'au-fy27': 'au-fy27' } },
    },
    { today: '2026-11-21', portfolio },
  )
  expect({ changes, prices }).toEqual({ changes: [], prices: [] })
  expect(changed).toEqual([{ name: 'au-vic-fy27', oldDigest: 'au-vic-fy27', newDigest: 'other', wordsOnly: true }])
})
