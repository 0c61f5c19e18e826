import { expect, test } from 'vitest'
import { contractServer, type Refusal } from './contract-server.ts'
import { inNewSouthWales, inWestern, onDay, suv } from './requests.ts'

// Complete or not, as data: nobody has to read a warning to learn that a price is too low.
const { ask, quote, server } = contractServer()
const LACKING = inNewSouthWales({ cylinders: 4 })
const COMPLETE = inNewSouthWales({ cylinders: 4, tareKg: 1600 })
const REJECT = { options: { incomplete: 'reject' } }
const TARE = '/vehicleGeneric/tareKg'

test('metadata.complete is false when a component that is due has no price; metadata.unpriced lists it', async () => {
  const { metadata } = await quote(LACKING)
  expect(metadata.complete).toBe(false)
  expect(metadata.unpriced).toContainEqual(
    expect.objectContaining({ component: 'MOTOR_TAX', pricingCode: 'AU_NSW', because: 'missing_fact', path: TARE }),
  )
  expect((await quote(COMPLETE)).metadata).toMatchObject({ complete: true, unpriced: [] })
})

test('options.incomplete reject: 400 INCOMPLETE_QUOTE with one errors[] element per component', async () => {
  const { metadata } = await quote(LACKING)
  const { status, body } = await ask<Refusal>('POST', '/v1/quote', { body: { ...LACKING, ...REJECT } })
  expect([status, body.code]).toEqual([400, 'INCOMPLETE_QUOTE'])
  const told = metadata.unpriced.map(({ component, path = '', reason }) => ({
    path: `/body${path}`,
    message: reason,
    component,
    errorCode: 'INCOMPLETE_QUOTE',
  }))
  expect(body.errors).toEqual(told)
  expect((await quote({ ...COMPLETE, ...REJECT })).metadata.complete).toBe(true)
  expect((await quote({ ...LACKING, options: { incomplete: 'answer' } })).metadata.complete).toBe(false)
})

test('the same in a batch: the item is named in errors[].path', async () => {
  const items = [COMPLETE, { ...LACKING, ...REJECT }]
  const { status, body } = await ask<Refusal>('POST', '/v1/quote/batch', { body: items })
  expect([status, body.code]).toEqual([400, 'INCOMPLETE_QUOTE'])
  expect(body.errors?.[0]?.path).toBe(`/body/1${TARE}`)
})

test('the same in a target, whose solution also says so', async () => {
  const solve = (body: object) =>
    ask<{ solution: { complete: boolean }; code?: string }>('POST', '/v1/quote/target-drive-away', { body })
  const target = { driveAway: 5_000_000 }
  expect((await solve({ ...LACKING, target })).body.solution.complete).toBe(false)
  expect((await solve({ ...COMPLETE, target })).body.solution.complete).toBe(true)
  expect(await solve({ ...LACKING, ...REJECT, target })).toMatchObject({
    status: 400,
    body: { code: 'INCOMPLETE_QUOTE' },
  })
})

test('a metric counts the components that quotes lack, refused ones too', async () => {
  const lacking = async () => {
    const metric = await server().registry.getSingleMetric('driveaway_incomplete_quotes_total')?.get()
    const labels = { pricing_code: 'AU_NSW', component: 'MOTOR_TAX', because: 'missing_fact' }
    const found = metric?.values.find((value) => JSON.stringify(value.labels) === JSON.stringify(labels))
    return found?.value ?? 0
  }
  const before = await lacking()
  await quote(LACKING)
  await ask('POST', '/v1/quote', { body: { ...LACKING, ...REJECT } })
  await quote(COMPLETE)
  expect((await lacking()) - before).toBe(2)
})

test('every assumption carries its kind', async () => {
  const { metadata } = await quote({ ...inNewSouthWales({ gvmKg: 2200 }), misspelt: 1 })
  const kinds = Object.fromEntries(metadata.assumptions.map(({ path, component, kind }) => [path || component, kind]))
  expect(kinds).toMatchObject({ '/vehicleGeneric': 'default', '/misspelt': 'ignored', [TARE]: 'unpriced' })
})

test('where earlier rates stand in, every component of the quote may rise', async () => {
  const registration = { ...onDay('2027-08-01').registration }
  const later = suv({ registration, purchaseDate: '2027-06-30', taxDatePolicy: { outOfRange: 'prior_year' } })
  const { categories, metadata } = await quote(later)
  expect(metadata.taxFallbackApplied).toBe(true)
  expect(metadata.mayRise).toEqual(categories.onRoad.map(({ component }) => component))
  expect(metadata.mayRise.length).toBeGreaterThan(2)
})

test('metadata.mayRise names the components whose line is an estimate and no upper bound, in quote, batch and target', async () => {
  const western = inWestern({ cylinders: 4, tareKg: 1600 })
  expect((await quote(western)).metadata.mayRise).toEqual(['PLATES'])
  expect((await quote(COMPLETE)).metadata.mayRise).toEqual(['CTP'])
  expect((await quote(suv())).metadata.mayRise).toEqual([])
  const batch = await ask<{ quotes?: unknown }>('POST', '/v1/quote/batch', { body: [western] })
  expect(JSON.stringify(batch.body)).toContain('"mayRise":["PLATES"]')
  const target = { driveAway: 5_000_000 }
  const solved = await ask<{ quote: { metadata: object } }>('POST', '/v1/quote/target-drive-away', {
    body: { ...western, target },
  })
  expect(solved.body.quote.metadata).toMatchObject({ mayRise: ['PLATES'] })
})
