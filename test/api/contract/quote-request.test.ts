import { expect, test } from 'vitest'
import { contractServer } from './contract-server.ts'
import { customerWith, inQueensland, inWestern, onDay, paying, priceOf, suv, vehicle, without } from './requests.ts'

// "Quote request" of the interface: each test is named by the sentence that it proves.
const { quote, refused, get, document } = contractServer()
const ruleIds = (answer: Awaited<ReturnType<typeof quote>>) => answer.categories.onRoad.map(({ ruleId }) => ruleId)
const lineOf = (answer: Awaited<ReturnType<typeof quote>>, component: string) =>
  answer.categories.onRoad.find((line) => line.component === component)

test('pricingCode: Jurisdiction code, form like AU_<STATE>', async () => {
  expect(await refused('/v1/quote', suv({ pricingCode: 'AU_ZZZ' }))).toEqual({
    status: 400,
    code: 'INVALID_PRICING_CODE',
    paths: ['/body/pricingCode'],
  })
  for (const pricingCode of ['AU', 'VIC', 'au_vic', '', 'toString', '__proto__']) {
    expect(await refused('/v1/quote', suv({ pricingCode }))).toMatchObject({
      status: 400,
      code: 'INVALID_PRICING_CODE',
    })
  }
})

test('showroomCode: Required; missing or blank gives INVALID_SHOWROOM_CODE', async () => {
  for (const body of [without('showroomCode'), suv({ showroomCode: '' }), suv({ showroomCode: ' \t' })]) {
    expect(await refused('/v1/quote', body)).toEqual({
      status: 400,
      code: 'INVALID_SHOWROOM_CODE',
      paths: ['/body/showroomCode'],
    })
  }
})

test('showroomCode: The client must be bound to it', async () => {
  expect(await refused('/v1/quote', suv({ showroomCode: 'MEL02' }))).toMatchObject({ code: 'SHOWROOM_ACCESS_DENIED' })
  expect(await refused('/v1/quote', suv({ showroomCode: 'mel01' }))).toMatchObject({ code: 'SHOWROOM_ACCESS_DENIED' })
})

test('purchaseDate: Must lie in a financial year the service prices, else UNSUPPORTED_FINANCIAL_YEAR', async () => {
  for (const purchaseDate of ['2019-06-30', '2040-07-01']) {
    expect(await refused('/v1/quote', suv({ purchaseDate }))).toEqual({
      status: 400,
      code: 'UNSUPPORTED_FINANCIAL_YEAR',
      paths: ['/body/purchaseDate'],
    })
  }
})

test('vehicleGeneric: When used, make and model default to a generic value', async () => {
  for (const body of [suv(), without('vehicleGeneric')]) {
    const { assumptions } = (await quote(body)).metadata
    expect(assumptions).toContainEqual(
      expect.objectContaining({ path: '/vehicleGeneric', kind: 'default', assumed: null }),
    )
  }
})

test('pricingInputs.dutiable: Line: description string, value integer cents (may be negative for a discount line)', async () => {
  const dutiable = [
    { description: 'Vehicle', value: 4_500_000 },
    { description: 'Discount', value: -250_001, kind: 'discount' },
  ]
  const answer = await quote(suv({ pricingInputs: { dutiable } }))
  expect(answer.categories.dutiable.map(({ description, value }) => ({ description, value }))).toEqual(
    dutiable.map(({ description, value }) => ({ description, value })),
  )
  expect(answer.totals.dutiable).toBe(4_249_999)
  for (const value of [1.5, '4500000', null, true]) {
    expect(await refused('/v1/quote', paying(value))).toEqual({
      status: 400,
      code: 'bad_request',
      paths: ['/body/pricingInputs/dutiable/0/value'],
    })
  }
})

test('registration.termMonths: Registration term in months', async () => {
  const months = async (termMonths: number) =>
    lineOf(await quote(suv({ registration: { ...onDay('2026-08-10').registration, termMonths } })), 'REGISTRATION')!
      .value
  expect(await months(6)).toBeLessThan(await months(12))
  const unoffered = suv({ registration: { ...onDay('2026-08-10').registration, termMonths: 7 } })
  expect(await refused('/v1/quote', unoffered)).toEqual({
    status: 400,
    code: 'UNSUPPORTED_REGISTRATION_TERM',
    paths: ['/body/registration/termMonths'],
  })
})

test('registration.startDate: Selects the financial year whose rates apply', async () => {
  const year = async (date: string) => {
    const answer = await quote(suv(onDay(date)))
    const own = ruleIds(answer).filter((id) => id.startsWith('AU_VIC_'))
    return [answer.metadata.financialYear, ...new Set(own.map((id) => id.slice(-4)))]
  }
  expect(await year('2026-06-30')).toEqual(['2025-2026', 'FY26'])
  expect(await year('2026-07-01')).toEqual(['2026-2027', 'FY27'])
  const purchasedBefore = suv({ ...onDay('2026-07-01'), purchaseDate: '2026-06-30' })
  expect((await quote(purchasedBefore)).metadata.financialYear).toBe('2026-2027')
})

test('registration.type: Values seen: transfer, new', async () => {
  const used = vehicle({ condition: 'used' })
  const { registration } = onDay('2026-08-10')
  const transfer = await quote(suv({ ...used, registration: { ...registration, type: 'transfer' } }))
  const fresh = await quote(suv({ registration: { ...registration, type: 'new' } }))
  expect(lineOf(transfer, 'TRANSFER_FEE')).toBeDefined()
  expect(lineOf(fresh, 'TRANSFER_FEE')).toBeUndefined()
  expect(await refused('/v1/quote', suv({ registration: { ...registration, type: 'renewal' } }))).toMatchObject({
    code: 'bad_request',
    paths: ['/body/registration/type'],
  })
})

test('registration.postcode: Used for a TAC risk zone in one state; when missing, a metro default is used and a warning is added', async () => {
  const ctp = async (postcode?: string) => {
    const { startDate, termMonths, type } = onDay('2026-08-10').registration
    const answer = await quote(suv({ registration: { startDate, termMonths, type, ...(postcode && { postcode }) } }))
    return { value: lineOf(answer, 'CTP')!.value, assumptions: answer.metadata.assumptions }
  }
  const [metro, rural, missing] = [await ctp('3000'), await ctp('3950'), await ctp()]
  expect(rural.value).toBeLessThan(metro.value)
  expect(missing.value).toBe(metro.value)
  expect(missing.assumptions).toContainEqual(
    expect.objectContaining({ path: '/registration/postcode', assumed: '3000' }),
  )
})

test('customer.customerType: Value seen: consumer', async () => {
  const said = await quote(suv({ customer: { customerType: 'consumer', usageType: 'consumer' } }))
  const { totals, categories, metadata } = await quote(without('customer'))
  expect({ totals, categories }).toEqual({ totals: said.totals, categories: said.categories })
  // The premium of a taxi is not known: that the vehicle is no taxi is named.
  const named = metadata.assumptions.filter((one) => one.path?.startsWith('/customer'))
  expect(named).toEqual([expect.objectContaining({ path: '/customer/usageType', assumed: 'consumer', component: 'CTP' })])
})

test('customer.concession.hasConcession: Set true when sending a concession', async () => {
  const none = await quote(suv())
  const claimed = await quote(suv(customerWith({ hasConcession: true, type: 'ELIGIBLE_BENEFICIARY' })))
  const unclaimed = await quote(suv(customerWith({ type: 'ELIGIBLE_BENEFICIARY' })))
  expect(claimed.totals.driveAway).toBeLessThan(none.totals.driveAway)
  expect(unclaimed.totals).toEqual(none.totals)
  expect(unclaimed.metadata.assumptions).toContainEqual(
    expect.objectContaining({ path: '/customer/concession/type', assumed: null }),
  )
})

test('customer.concession.type: A type returned by GET /v1/concessions', async () => {
  const { body } = await get<{ concessions: { type: string }[] }>('/v1/concessions?pricingCode=AU_VIC&date=2026-08-10')
  for (const { type } of body.concessions) await quote(suv(customerWith({ hasConcession: true, type })))
  for (const type of ['NO_SUCH', undefined]) {
    expect(await refused('/v1/quote', suv(customerWith({ hasConcession: true, type })))).toEqual({
      status: 400,
      code: 'INVALID_CONCESSION',
      paths: ['/body/customer/concession/type'],
    })
  }
})

test('taxDatePolicy.outOfRange: error, prior_year, legacy. Default legacy', async () => {
  const { registration } = onDay('2040-08-10')
  const legacy = await quote(suv({ registration, taxDatePolicy: { outOfRange: 'legacy' } }))
  expect(await quote(suv({ registration, taxDatePolicy: {} }))).toEqual(legacy)
  expect(await quote(without('taxDatePolicy', { registration }))).toEqual(legacy)
  expect(legacy.totals.driveAway).toBe(0)
  expect(await refused('/v1/quote', suv({ registration, taxDatePolicy: { outOfRange: 'none' } }))).toMatchObject({
    code: 'bad_request',
    paths: ['/body/taxDatePolicy/outOfRange'],
  })
})

test('lctPreviouslyPaid: an input needed to price luxury car tax for a used car above the threshold', async () => {
  const used = vehicle({ condition: 'used', manufactureDate: '2025-09-01', firstRegisteredDate: '2025-10-01' })
  const dutiable = [{ description: 'Vehicle', value: priceOf(120_000) }]
  const lct = async (change: object) =>
    lineOf(await quote(suv({ ...used, pricingInputs: { dutiable }, ...change })), 'LUXURY_CAR_TAX')?.value ?? 0
  const inputs = { pricingInputs: { dutiable, lctPreviouslyPaid: 100_000 } }
  expect(await lct(inputs)).toBe((await lct({ pricingInputs: { dutiable, lctPreviouslyPaid: 0 } })) - 100_000)
  expect(await lct({ lctPreviouslyPaid: 100_000 })).toBe(await lct(inputs))
  expect(await refused('/v1/quote', suv({ ...used, pricingInputs: { dutiable } }))).toMatchObject({
    status: 400,
    code: 'INVALID_VEHICLE_INPUT',
    paths: [expect.stringContaining('lctPreviouslyPaid')],
  })
})

test('vehicleGeneric.cylinders: Omitted for an ICE vehicle leads to an assumption of 1-4 cylinders for duty (warning)', async () => {
  const duty = async (cylinders?: number) => {
    const answer = await quote(inQueensland({ cylinders }))
    return { value: lineOf(answer, 'STAMP_DUTY')!.value, assumptions: answer.metadata.assumptions }
  }
  const [four, six, none] = [await duty(4), await duty(6), await duty()]
  expect(none.value).toBe(four.value)
  expect(none.value).toBeLessThan(six.value)
  expect(none.assumptions.map(({ path }) => path)).toContain('/vehicleGeneric/cylinders')
})

test('vehicleGeneric.tareKg: Needed for licence fee units in one state (warning when missing)', async () => {
  expect(lineOf(await quote(inWestern({ tareKg: 1500 })), 'REGISTRATION')).toBeDefined()
  const missing = await quote(inWestern({}))
  expect(lineOf(missing, 'REGISTRATION')).toBeUndefined()
  expect(missing.metadata.assumptions).toContainEqual(
    expect.objectContaining({ path: '/vehicleGeneric/tareKg', assumed: null }),
  )
})

test('vehicleGeneric.condition: new, used', async () => {
  const { registration } = onDay('2026-08-10')
  // A used vehicle is inspected before it is licensed.
  const bare = { vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE' }, registration }
  const unsaid = await quote(suv({ pricingCode: 'AU_WA', ...bare }))
  expect(unsaid.metadata.assumptions).toContainEqual(
    expect.objectContaining({ path: '/vehicleGeneric/condition', assumed: 'new' }),
  )
  const demo = suv(vehicle({ condition: 'demo' }))
  expect(await refused('/v1/quote', demo)).toMatchObject({
    code: 'bad_request',
    paths: ['/body/vehicleGeneric/condition'],
  })
})

test('vehicleGeneric.bodyType, fuelType: each documented value is taken, and any other is bad_request', async () => {
  const { Vehicle } = (document() as unknown as Documented).components.schemas
  for (const field of ['bodyType', 'fuelType']) {
    const values = Vehicle.properties[field]!.enum
    expect(values).toEqual(expect.arrayContaining(field === 'bodyType' ? ['ute'] : ['ICE', 'PHEV']))
    for (const value of values) await quote(suv(vehicle({ [field]: value })))
    expect(await refused('/v1/quote', suv(vehicle({ [field]: 'other' })))).toMatchObject({
      code: 'bad_request',
      paths: [`/body/vehicleGeneric/${field}`],
    })
  }
})
interface Documented {
  components: { schemas: { Vehicle: { properties: Record<string, { enum: string[] }> } } }
}

test('customer.usageType: Value seen: consumer', async () => {
  const said = await quote(suv({ customer: { usageType: 'consumer' } }))
  const unsaid = await quote(suv({ customer: {} }))
  expect([unsaid.totals, unsaid.categories]).toEqual([said.totals, said.categories])
  const named = expect.objectContaining({ path: '/customer/usageType', assumed: 'consumer' })
  expect(unsaid.metadata.assumptions).toContainEqual(named)
  expect(said.metadata.assumptions).not.toContainEqual(named)
  expect(await refused('/v1/quote', suv({ customer: { usageType: 'other' } }))).toMatchObject({ code: 'bad_request' })
})

test('vehicleGeneric.year: Vehicle year, an integer', async () => {
  const { totals } = await quote(suv(vehicle({ year: 2026 })))
  expect(totals).toEqual((await quote(suv())).totals)
  expect(await refused('/v1/quote', suv(vehicle({ year: '2026' })))).toMatchObject({
    code: 'bad_request',
    paths: ['/body/vehicleGeneric/year'],
  })
})
