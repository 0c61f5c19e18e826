import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { inNewSouthWales, inQueensland, inWestern, onDay, suv } from './requests.ts'

// "POST /v1/quote/batch" of the interface.
const { ask, quote, refused } = contractServer()
const BATCH = '/v1/quote/batch'
const batch = (body: unknown) => ask<Quote[]>('POST', BATCH, { body })

test('Response: JSON array of Quote responses in the same order as the requests', async () => {
  const requests = [inQueensland({ cylinders: 4 }), suv(), inWestern({ tareKg: 1500 }), inNewSouthWales({}), suv()]
  const alone = await Promise.all(requests.map((request) => quote(request)))
  expect((await batch(requests)).body).toEqual(alone)
})

test('Payload: JSON array of up to 25 Quote requests', async () => {
  const of = (length: number) => Array.from({ length }, () => suv())
  expect((await batch(of(25))).body).toHaveLength(25)
  for (const [body, path] of [
    [of(26), '/body'],
    [[], '/body'],
    [suv(), '/body'],
    [[suv(), 'x'], '/body/1'],
  ]) {
    expect(await refused(BATCH, body)).toEqual({ status: 400, code: 'bad_request', paths: [path] })
  }
})

test("When any item is invalid, or names a showroom the client is not bound to, the whole batch is rejected with that item's error and no quotes are returned", async () => {
  const faults: [Record<string, unknown>, number, string, string][] = [
    [{ showroomCode: '' }, 400, 'INVALID_SHOWROOM_CODE', 'showroomCode'],
    [{ showroomCode: 'SYD99' }, 403, 'SHOWROOM_ACCESS_DENIED', 'showroomCode'],
    [{ pricingCode: 'AU_ZZZ' }, 400, 'INVALID_PRICING_CODE', 'pricingCode'],
    [{ purchaseDate: '2001-01-01' }, 400, 'UNSUPPORTED_FINANCIAL_YEAR', 'purchaseDate'],
    [
      { registration: onDay('2040-01-01').registration },
      400,
      'UNSUPPORTED_REGISTRATION_DATE',
      'registration/startDate',
    ],
  ]
  for (const [change, status, code, field] of faults) {
    expect(await refused(BATCH, [suv(), suv(), suv(change)])).toEqual({ status, code, paths: [`/body/2/${field}`] })
  }
})

test('The batch is validated as a whole', async () => {
  const late = [suv({ pricingCode: 'AU_ZZZ' }), suv({ registration: {} })]
  expect(await refused(BATCH, late)).toMatchObject({ code: 'bad_request', paths: ['/body/1/registration/startDate'] })
})

test('A batch failure returns the error of the failing item', async () => {
  const failing = suv({ registration: { ...onDay('2026-08-10').registration, termMonths: 5 } })
  const alone = await ask<{ code: string; message: string }>('POST', '/v1/quote', { body: failing })
  const whole = await ask<{ code: string; message: string }>('POST', BATCH, { body: [suv(), failing] })
  expect([whole.status, whole.body.code, whole.body.message]).toEqual([
    alone.status,
    alone.body.code,
    alone.body.message,
  ])
})

test('an empty quote is an answer of a batch, and no fault of it', async () => {
  const empty = suv({ registration: onDay('2040-01-01').registration, taxDatePolicy: {} })
  expect((await batch([suv(), empty])).body.map(({ totals }) => totals.driveAway > 0)).toEqual([true, false])
})
