import { afterAll, beforeAll, expect, test } from 'vitest'
import { quoteOf, sedan, tokenOf } from './quotes.ts'
import { startStack, type Stack } from './stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await tokenOf(stack, 'dealer')
})
afterAll(() => stack.stop())

const showrooms = {
  ...{ AU_ACT: 'CBR01', AU_NSW: 'SYD01', AU_NT: 'DRW01', AU_QLD: 'BNE01' },
  ...{ AU_SA: 'ADL01', AU_TAS: 'HBA01', AU_VIC: 'MEL01', AU_WA: 'PER01' },
}
const days = ['2024-07-01', '2025-06-30', '2025-07-01', '2026-06-30', '2026-07-01', '2027-06-30']

const requestOf = (pricingCode: string, showroomCode: string, day: string) => ({
  ...{ ...sedan, pricingCode, showroomCode, purchaseDate: day },
  vehicleGeneric: { ...sedan.vehicleGeneric, year: Number(day.slice(0, 4)) },
  registration: { ...sedan.registration, startDate: day },
})

test.each(Object.entries(showrooms))(
  '%s answers on the first and the last day of each financial year',
  async (code, showroom) => {
    for (const day of days) {
      const { status, body } = await quoteOf(stack, token, requestOf(code, showroom, day))
      expect([day, status]).toEqual([day, 200])
      const starts = Number(day.slice(0, 4)) - (day.slice(5) < '07' ? 1 : 0)
      expect(body.metadata.financialYear).toBe(`${starts}-${starts + 1}`)
      // Every state and territory has duty on a petrol sedan for $60,000; where its rate is not known, a warning says so.
    const duty = body.categories.onRoad.find(({ component }) => component === 'STAMP_DUTY')?.value ?? 0
    const isSaid = body.metadata.warnings.some((warning) => /duty/i.test(warning))
    expect([day, duty > 0 || isSaid]).toEqual([day, true])
    expect(body.totals.driveAway).toBe(body.totals.dutiable + body.totals.onRoad + body.totals.additional)
    }
  },
)

test.each(Object.entries(showrooms))(
  '%s refuses the day before its first and the day after its last',
  async (code, showroom) => {
    for (const day of ['2024-06-30', '2027-07-01']) {
      expect((await quoteOf(stack, token, requestOf(code, showroom, day))).body.code).toBe('UNSUPPORTED_FINANCIAL_YEAR')
    }
  },
)
