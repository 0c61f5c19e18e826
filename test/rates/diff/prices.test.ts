import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareSets } from '#rates/diff/compare-sets.ts'
import { edgePrices } from '#rates/diff/edge-prices.ts'
import { parsePortfolio } from '#rates/diff/parse-portfolio.ts'
import { BODY_TYPES, FUEL_TYPES } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets, snapshotOf } from '../properties/sets.ts'

const portfolio = parsePortfolio(readFileSync('rates/diff/portfolio.yaml', 'utf8'))
const withFederal = (code: string): RateSetSpec[] =>
  sets.filter(({ pricingCode, financialYear }) => ['AU', code].includes(pricingCode) && financialYear === '2026-2027')
const wanted = withFederal('AU_VIC')
const side = (label: string, specs: RateSetSpec[]) => ({ label, specs, snapshot: snapshotOf(specs) })

function compared(edit: (spec: RateSetSpec) => void, code = 'AU_VIC') {
  const old = withFederal(code)
  const now = structuredClone(old)
  edit(now.find(({ pricingCode }) => pricingCode === code)!)
  return compareSets(side('old', old), side('now', now), { today: '2026-11-21', portfolio })
}

const ruleOf = ({ rules }: RateSetSpec, component: string) => rules.find((one) => one.component === component)!

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

// A transfer of duty without CO2 emissions is at the rate of a car that is not green: s 218 (2) asks for 120 g/km or less.
test('a fact that a client may leave out is left out of a vehicle of the portfolio', () => {
  const { prices } = compared((vic) => {
    const entry = ruleOf(vic, 'STAMP_DUTY').missing!.find((one) => one.class === 'green')!
    entry.assume = 'true'
  })
  expect(prices.map(({ component }) => component)).toEqual(['STAMP_DUTY'])
  expect(prices[0]!.largest.vehicle).toContain('without co2GPerKm')
})

// A concession of half a registration fee for six months is half of the fee for six months.
test('a concession is priced for each term', () => {
  const { prices } = compared((qld) => {
    for (const { adjustments } of qld.concessions!) for (const one of adjustments) delete one.perTerm
  }, 'AU_QLD')
  expect(prices.length).toBeGreaterThan(0)
  for (const { largest } of prices) expect(largest.vehicle).toMatch(/, [A-Z0-9_]+, \d+ months$/)
})

// Duties Act 2001 (Qld) s 378: of a new vehicle the duty is on the list price, where that is known.
test.each(['listPrice', 'marketValue'])('a %s other than the price is sent with a vehicle of the portfolio', (fact) => {
  const { prices } = compared((qld) => {
    for (const { cases } of qld.bases!)
      for (const one of cases) if (JSON.stringify(one.when ?? {}).includes(fact)) one.minus = ['5000']
  }, 'AU_QLD')
  expect(prices.map(({ largest }) => largest.vehicle).join()).toContain(`${fact} of`)
})

// 11 % of a line that has GST of 1/11 is in the line: $551.00 has $50.09, and at 1/10 it would have $55.10.
test('where only the GST in a line changes, its cents are told, and not where the line changes', () => {
  const gst = compared((vic) => void (ruleOf(vic, 'CTP').gst = '1/10')).prices.filter(({ component }) =>
    component.includes('CTP'),
  )
  expect(gst.map(({ component }) => component)).toEqual(['gst:CTP'])
  const { before, after, driveAway } = gst[0]!.largest
  // A tenth is eleven tenths of an eleventh.
  expect(Math.abs(after! - before! * 1.1)).toBeLessThan(1)
  expect(driveAway[0]).toBe(driveAway[1])
  const dearer = compared((vic) => {
    for (const { charge } of ruleOf(vic, 'CTP').cases)
      for (const row of charge?.table?.rows ?? []) row.amounts = row.amounts.map((one) => (one === '-' ? one : '999'))
  }).prices.map(({ component }) => component)
  expect(dearer).toContain('CTP')
  expect(dearer).not.toContain('gst:CTP')
})

test('a set that says nothing new is priced on its first day all the same: a price may move of which nothing is said', () => {
  const renamed = structuredClone(wanted)
  const vic = renamed.find(({ pricingCode }) => pricingCode === 'AU_VIC')!
  vic.rules.push(vic.rules.shift()!)
  const dearer = structuredClone(wanted)
  ruleOf(
    dearer.find(({ pricingCode }) => pricingCode === 'AU_VIC')!,
    'PLATES',
  ).cases.at(-1)!.charge!.flat = '45.20'
  const digests = { 'au-vic-fy27': 'other', 'au-fy27': 'au-fy27' }
  const untold = { label: 'now', specs: renamed, snapshot: { ...snapshotOf(dearer), digests } }
  const {
    sets: compared,
    changes,
    prices,
  } = compareSets(side('old', wanted), untold, { today: '2026-11-21', portfolio })
  expect(changes).toEqual([])
  expect(compared).toMatchObject([{ name: 'au-vic-fy27', wordsOnly: false }])
  expect(prices).toMatchObject([{ component: 'PLATES', from: '2026-07-01', least: 100, most: 100 }])
})
