import { expect, test } from 'vitest'
import type { Quote, QuoteLine } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { customerWith, inQueensland, onDay, suv } from './requests.ts'

// "Quote response" of the interface.
const { ask, quote } = contractServer()
const linesOf = ({ categories }: Quote): QuoteLine[] => Object.values(categories).flat()
const sum = (lines: QuoteLine[], of: (line: QuoteLine) => number) => lines.reduce((total, line) => total + of(line), 0)
const additional = [{ description: 'Paint protection', value: 150_000 }]
const withAdditional = suv({ pricingInputs: { dutiable: [{ description: 'Vehicle', value: 4_500_000 }], additional } })

test('categories: Line: description string, value integer cents, ruleId string, plus per-line tax and amounts objects', async () => {
  for (const line of linesOf(await quote(withAdditional))) {
    expect(line).toMatchObject({ description: expect.any(String), ruleId: expect.any(String) })
    expect(Number.isInteger(line.value)).toBe(true)
    expect(line.amounts).toEqual({
      exclusive: line.value - line.tax.amount,
      tax: line.tax.amount,
      inclusive: line.value,
    })
  }
})

test('categories.onRoad: Same line shape (stamp duty, registration transfer fee, etc.)', async () => {
  const components = (await quote(suv())).categories.onRoad.map(({ component }) => component)
  expect(components).toEqual(expect.arrayContaining(['STAMP_DUTY', 'REGISTRATION', 'CTP']))
})

test('categories.additional: Same line shape; may be empty', async () => {
  expect((await quote(suv())).categories.additional).toEqual([])
  const [line] = (await quote(withAdditional)).categories.additional
  expect(line).toMatchObject({ description: 'Paint protection', value: 150_000, ruleId: expect.any(String) })
})

test('totals.driveAway is the total price', async () => {
  for (const body of [suv(), withAdditional, inQueensland({ cylinders: 6 })]) {
    const answer = await quote(body)
    const { categories, totals } = answer
    for (const name of ['dutiable', 'onRoad', 'additional'] as const) {
      expect(totals[name]).toBe(sum(categories[name], ({ value }) => value))
    }
    expect(totals.driveAway).toBe(sum(linesOf(answer), ({ value }) => value))
  }
})

test('totals.tax: dutiable, onRoad, additional, overall integer cents', async () => {
  const answer = await quote(withAdditional)
  const { tax } = answer.totals
  for (const name of ['dutiable', 'onRoad', 'additional'] as const) {
    expect(tax[name]).toBe(sum(answer.categories[name], (line) => line.tax.amount))
  }
  expect(tax.overall).toBe(tax.dutiable + tax.onRoad + tax.additional)
  // GST is one eleventh of the price of a taxable supply: A New Tax System (Goods and Services Tax) Act 1999, s 9-70.
  expect(tax.dutiable).toBe(Math.round(4_500_000 / 11))
})

test('metadata.warnings: array of strings', async () => {
  const { warnings } = (await quote(suv())).metadata
  expect(warnings.length).toBeGreaterThan(0)
  expect(new Set(warnings).size).toBe(warnings.length)
})

test('metadata.taxFallbackApplied: True when prior_year fallback was used', async () => {
  const { registration } = onDay('2040-08-10')
  const fallback = await quote(suv({ registration, taxDatePolicy: { outOfRange: 'prior_year' } }))
  expect(fallback.metadata.taxFallbackApplied).toBe(true)
  expect((await quote(suv())).metadata.taxFallbackApplied).toBe(false)
  expect((await quote(suv({ registration, taxDatePolicy: {} }))).metadata.taxFallbackApplied).toBe(false)
})

test('metadata.taxEffectiveDate: Date whose rates were used when a fallback applied', async () => {
  const { registration } = onDay('2040-08-10')
  const fallback = await quote(suv({ registration, taxDatePolicy: { outOfRange: 'prior_year' } }))
  const day = fallback.metadata.taxEffectiveDate!
  expect(linesOf(await quote(suv(onDay(day)))).map(({ ruleId, value }) => [ruleId, value])).toEqual(
    linesOf(fallback).map(({ ruleId, value }) => [ruleId, value]),
  )
  expect((await quote(suv())).metadata).not.toHaveProperty('taxEffectiveDate')
})

test('ruleId form: <pricingCode>_<COMPONENT>_FY<yy> (carries the financial year)', async () => {
  for (const line of linesOf(await quote(withAdditional))) {
    expect(line.ruleId).toMatch(/^AU(_[A-Z]+)?_[A-Z][A-Z_]*_FY27$/)
    expect(line.ruleId).toContain(`_${line.component}_`)
  }
})

test('options.explain adds to each line how it came to its figure, and changes none', async () => {
  for (const change of [{}, customerWith({ hasConcession: true, type: 'ELIGIBLE_BENEFICIARY' })]) {
    const plain = await quote(suv(change))
    const explained = await quote(suv({ ...change, options: { explain: true } }))
    expect(linesOf(explained).every(({ explain }) => explain !== undefined)).toBe(true)
    const bare = JSON.parse(JSON.stringify(explained), (key, value: unknown) => (key === 'explain' ? undefined : value))
    expect(bare).toEqual(plain)
  }
})

test('every answer to a quote is JSON that must not be kept, with the id of its request', async () => {
  const { headers } = await ask('POST', '/v1/quote', { body: suv() })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})
