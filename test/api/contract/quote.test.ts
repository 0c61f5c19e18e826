import { beforeAll, expect, test } from 'vitest'
import { contractServer } from './contract-server.ts'
import { anywhere, onDay, suv } from './requests.ts'

// "POST /v1/quote" of the interface: what happens when registration.startDate is past the supported tax range.
const { get, quote, refused } = contractServer()
interface Range {
  start: string
  end: string
  financialYears: string[]
}
let range: Range
const rangeOf = async (pricingCode: string) => {
  const path = `/v1/rules?pricingCode=${pricingCode}&showroomCode=MEL01&date=2026-08-10`
  return (await get<{ supportedTaxRange: Range }>(path)).body.supportedTaxRange
}
beforeAll(async () => {
  range = await rangeOf('AU_VIC')
})

const past = (outOfRange?: string) =>
  suv({ registration: onDay('2040-01-31').registration, taxDatePolicy: { ...(outOfRange && { outOfRange }) } })
const before = (outOfRange: string) =>
  suv({ registration: onDay('2001-01-31').registration, taxDatePolicy: { outOfRange } })

test('error: Reject with 400 UNSUPPORTED_REGISTRATION_DATE', async () => {
  for (const body of [past('error'), before('error')]) {
    expect(await refused('/v1/quote', body)).toEqual({
      status: 400,
      code: 'UNSUPPORTED_REGISTRATION_DATE',
      paths: ['/body/registration/startDate'],
    })
  }
})

test("prior_year: Price with the latest published year's rates; metadata.taxFallbackApplied is true, metadata.taxEffectiveDate is the date used, and a warning is added", async () => {
  const { metadata, categories } = await quote(past('prior_year'))
  expect(metadata).toMatchObject({
    taxFallbackApplied: true,
    taxEffectiveDate: range.end,
    financialYear: range.financialYears.at(-1),
  })
  const twin = metadata.assumptions.find(({ path }) => path === '/registration/startDate')
  expect(twin).toMatchObject({ assumed: range.end })
  expect(metadata.warnings).toContain(twin?.reason)
  expect(categories.onRoad.length).toBeGreaterThan(0)
})

test('prior_year before the first published year has no earlier year to price with', async () => {
  expect(await refused('/v1/quote', before('prior_year'))).toMatchObject({ code: 'UNSUPPORTED_REGISTRATION_DATE' })
})

test('legacy (default): Return an empty quote with driveAway 0', async () => {
  for (const body of [past('legacy'), past(), before('legacy')]) {
    const { categories, totals, metadata } = await quote(body)
    expect(categories).toEqual({ dutiable: [], onRoad: [], additional: [] })
    expect(totals).toEqual({
      dutiable: 0,
      onRoad: 0,
      additional: 0,
      driveAway: 0,
      tax: { dutiable: 0, onRoad: 0, additional: 0, overall: 0 },
    })
    expect(metadata.assumptions.map(({ reason }) => reason)).toEqual(metadata.warnings)
    expect(metadata.warnings).toHaveLength(1)
  }
})

test('the last day of the range is priced, and the day after it is past it', async () => {
  const priced = await quote(suv(onDay(range.end)))
  expect(priced.totals.driveAway).toBeGreaterThan(4_500_000)
  const next = new Date(Date.parse(range.end) + 86_400_000).toISOString().slice(0, 10)
  const { registration } = onDay(next)
  expect(await refused('/v1/quote', suv({ registration }))).toMatchObject({ code: 'UNSUPPORTED_REGISTRATION_DATE' })
})

test('The service computes the drive-away price of a vehicle for a pricing jurisdiction', async () => {
  const codes = ['AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD', 'AU_SA', 'AU_TAS', 'AU_VIC', 'AU_WA']
  for (const pricingCode of codes) {
    for (const financialYear of (await rangeOf(pricingCode)).financialYears) {
      const date = `${financialYear.slice(0, 4)}-11-21`
      const registration = anywhere(date)
      const { metadata, totals } = await quote(suv({ pricingCode, purchaseDate: date, registration }))
      expect([pricingCode, metadata.financialYear]).toEqual([pricingCode, financialYear])
      expect(totals.driveAway).toBeGreaterThan(totals.dutiable)
    }
  }
})

test('a quote for an earlier date keeps reproducing what applied then', async () => {
  const then = await quote(suv(onDay('2025-08-10')))
  expect(then.metadata.financialYear).toBe('2025-2026')
  expect(await quote(suv(onDay('2025-08-10')))).toEqual(then)
})
