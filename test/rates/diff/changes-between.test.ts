import { expect, test } from 'vitest'
import { changesBetween } from '#rates/diff/changes-between.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

const of = (pricingCode: string, year: string): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === pricingCode && one.financialYear === year)!)
const old = [of('AU', '2025-2026'), of('AU', '2026-2027'), of('AU_VIC', '2025-2026'), of('AU_VIC', '2026-2027')]

function changed(edit: (vic: RateSetSpec, federal: RateSetSpec) => void): RateSetSpec[] {
  const copy = structuredClone(old)
  edit(copy[3]!, copy[1]!)
  return copy
}

const between = (was: readonly RateSetSpec[], is: readonly RateSetSpec[]) => [...changesBetween(was, is)].flat()

test('two releases that say the same differ in nothing, although they change within themselves', () => {
  expect(between(old, structuredClone(old))).toEqual([])
})

// 20.42 fee units, Road Safety Act 1986 (Vic) s 9: 20.42 x 17.27 = 352.6534, x 17.37 = 354.6954; charged to the nearest 10 cents.
test('a corrected figure is told with both amounts of the same day, and so is each component that is a multiple of it', () => {
  const now = changed((vic) => void (vic.parameters![0]!.values[0]!.value = '17.37'))
  const found = between(old, now)
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['REGISTRATION', 'TRANSFER_FEE', 'FEE_UNIT']))
  expect(found.find(({ name }) => name === 'FEE_UNIT')).toEqual({
    ...{ pricingCode: 'AU_VIC', effectiveDate: '2026-07-01', kind: 'parameter', name: 'FEE_UNIT' },
    ...{ path: 'parameters[0].values[0]', description: 'value', unit: 'cents', from: 1727, to: 1737 },
    sources: expect.any(Array),
  })
  const ofYear = { months: 12, from: 35_270, to: 35_470 }
  expect(found.find(({ charged }) => charged?.months === 12)).toMatchObject({ name: 'REGISTRATION', charged: ofYear })
})

test('a federal line that is corrected names the lines of states that move with it', () => {
  const now = changed((_, { parameters }) => {
    parameters!.find(({ name }) => name === 'LCT_THRESHOLD')!.values[0]!.value = '80999'
  })
  const tax = between(old, now).filter(({ name }) => name === 'LUXURY_CAR_TAX')
  expect(tax.length).toBeGreaterThan(0)
  for (const { followedBy } of tax) expect(followedBy).toEqual([{ pricingCode: 'AU_VIC', component: 'STAMP_DUTY' }])
})

test('a figure that is corrected for one year has the last day of that year', () => {
  const now = structuredClone(old)
  now[2]!.parameters![0]!.values[0]!.value = '16.91'
  const fee = between(old, now).filter(({ name }) => name === 'FEE_UNIT')
  expect(fee).toMatchObject([{ effectiveDate: '2025-07-01', lastDate: '2026-06-30', to: 1691 }])
})

test('a difference that goes on over a day on which something else changes is told once', () => {
  const turning = (plate: string) =>
    changed((vic) => {
      vic.parameters![0]!.values.push({ ...vic.parameters![0]!.values[0]!, value: '17.40', startDate: '2027-01-01' })
      vic.rules.find(({ component }) => component === 'PLATES')!.cases[1]!.charge!.flat = plate
    })
  const found = between(turning('44.20'), turning('45.20'))
  expect(found).toMatchObject([{ name: 'PLATES', effectiveDate: '2026-07-01', from: 4420, to: 4520 }])
})

test('a set that only the later release has is told as a whole, with what it changes from the day before', () => {
  const found = between(old.slice(0, 3), old)
  expect(found.filter(({ name }) => name === 'set')).toMatchObject([
    { effectiveDate: '2026-07-01', kind: 'definition', unit: 'words', from: null, to: 'published' },
  ])
  expect(found).toContainEqual(expect.objectContaining({ name: 'PLATES', unit: 'cents', from: 4300, to: 4420 }))
  expect(between(old, old.slice(0, 3))).toMatchObject([{ name: 'set', from: 'published', to: null }])
})

test('postcodes that another zone takes are one change', () => {
  const later = changed(({ zones }) => zones![0]!.values[0]!.postcodes.push('3998-3999'))
  expect(between(old, later).filter(({ unit }) => unit === 'zone')).toMatchObject([
    { name: 'zones TAC', from: 'RURAL', to: 'METRO', postcodes: ['3998-3999'], effectiveDate: '2026-07-01' },
  ])
})

test('jurisdictions whose sets are the same objects are not compared', () => {
  const [other] = changed((vic) => void (vic.parameters![0]!.values[0]!.value = '17.37')).slice(3)
  // A set that cannot be read: comparing it would throw.
  const broken = { ...of('AU_QLD', '2026-2027'), rules: undefined as never, imports: [] }
  const found = between([...old, broken], [...old.slice(0, 3), other!, broken])
  expect(new Set(found.map(({ pricingCode }) => pricingCode))).toEqual(new Set(['AU_VIC']))
})
