import { expect, test } from 'vitest'
import type { TypedChange } from '../../../rates/diff/typed-changes.ts'
import { contractServer, type Refusal } from './contract-server.ts'

// "Notices of rate changes ... naming the affected components, old and new amounts and the effective date" (Events), as
// an operation.
const { get, server } = contractServer()

type Changes = { release: string; changes: TypedChange[]; nextCursor?: string }

const page = async (query: string) => (await get<Changes>(`/v1/changes?${query}`)).body

/** All pages of a query. */
async function changes(query: string): Promise<Changes> {
  const first = await page(query)
  const all = [...first.changes]
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const next = await page(`${query}&cursor=${cursor}`)
    all.push(...next.changes)
    cursor = next.nextCursor
  }
  return { release: first.release, changes: all }
}

// Number plate fees of 2025-26 and 2026-27: 43.00 and 44.20. TAC charge in the metropolitan zone: 534 and 551.
test('GET /v1/changes names the affected components, old and new amounts in cents and the effective date', async () => {
  const { changes: found } = await changes('from=2026-07-01&to=2026-07-01&pricingCode=AU_VIC')
  const plates = found.find(({ name, unit }) => name === 'PLATES' && unit === 'cents')
  expect(plates).toMatchObject({
    pricingCode: 'AU_VIC',
    effectiveDate: '2026-07-01',
    kind: 'component',
    ruleId: 'AU_VIC_PLATES_FY27',
    path: expect.stringMatching(/^rules\[\d+\]\.cases\[\d+\]\.charge\.flat$/),
    unit: 'cents',
    from: 4300,
    to: 4420,
  })
  expect(
    found.find(({ name, description }) => name === 'CTP' && description.includes('passenger: METRO')),
  ).toMatchObject({ unit: 'cents', from: 53400, to: 55100 })
  expect(new Set(found.map(({ pricingCode }) => pricingCode))).toEqual(new Set(['AU', 'AU_VIC']))
})

// Victoria's fee unit: $16.81 in 2025-26 and $17.27 in 2026-27; a fee of 20.42 units has a fraction of a cent.
test('every amount is integer cents, or says that it has a fraction', async () => {
  const { changes: found } = await changes('from=2024-07-02&to=2030-01-01')
  for (const { unit, from, to } of found) {
    const values = [from, to].filter((value) => value !== null)
    expect(values.length).toBeGreaterThan(0)
    if (unit === 'cents') expect(values.every((value) => Number.isSafeInteger(value))).toBe(true)
    else if (unit === 'words' || unit === 'zone') expect(values.every((value) => typeof value === 'string')).toBe(true)
    else expect(values.every((value) => /^-?\d+(\.\d+)?$/.test(value as string))).toBe(true)
  }
  // 20.42 x 16.81 = 343.2602 and 20.42 x 17.27 = 352.6534, charged to the nearest ten cents.
  expect(found.find(({ name, charged }) => name === 'REGISTRATION' && charged?.to === 35_270)).toMatchObject({
    ...{ pricingCode: 'AU_VIC', unit: 'fractionalCents', from: '34326.02', to: '35265.34' },
    charged: { from: 34_330, to: 35_270, months: 12 },
  })
  const unit = found.find(
    ({ name, pricingCode, effectiveDate }) =>
      [name, pricingCode, effectiveDate].join() === 'FEE_UNIT,AU_VIC,2026-07-01',
  )
  expect(unit).toMatchObject({ kind: 'parameter', unit: 'cents', to: 1727 })
  const units = Map.groupBy(found, (one) => one.unit)
  expect([...units.keys()]).toEqual(expect.arrayContaining(['cents', 'fractionalCents', 'percent', 'words', 'zone']))
})

// New South Wales, Duties Act 1997 (NSW): $3 for every $100. Duty of the ACT from 1 September 2025: $3.17 for every $100.
test('a rate says what it is for', async () => {
  const { changes: found } = await changes('from=2025-09-01&to=2025-09-01&pricingCode=AU_ACT')
  expect(found.find(({ name, to, per }) => name === 'STAMP_DUTY' && to === 317 && per !== undefined)).toMatchObject({
    unit: 'cents',
    from: 300,
    to: 317,
    per: { amount: '10000', of: 'cents' },
  })
})

test('a change that ends before the published rates do says its last day', async () => {
  const { changes: found } = await changes('from=2024-07-02&to=2030-01-01')
  const ended = found.filter(({ lastDate }) => lastDate !== undefined)
  expect(ended.length).toBeGreaterThan(0)
  for (const { effectiveDate, lastDate } of ended) expect(lastDate! >= effectiveDate).toBe(true)
})

test('pages of any size give every change once, and the cursor of another release is refused', async () => {
  const query = 'from=2024-07-02&to=2030-01-01'
  const { changes: all, release } = await changes(query)
  const small = await changes(`${query}&pricingCode=AU_NT&limit=7`)
  const withoutFollowers = (some: readonly TypedChange[]) => some.map(({ followedBy: _, ...one }) => one)
  const own = all.filter(({ pricingCode }) => ['AU', 'AU_NT'].includes(pricingCode))
  expect(withoutFollowers(small.changes)).toEqual(withoutFollowers(own))
  const first = await page(`${query}&limit=3`)
  expect(first.changes).toEqual(all.slice(0, 3))
  const { rates } = server().holder.read()
  server().holder.swap({ rates: { ...rates!, snapshot: { ...rates!.snapshot, release: 'sha256:other' } } })
  const late = await get<Refusal>(`/v1/changes?${query}&cursor=${first.nextCursor}`)
  server().holder.swap({ rates: rates! })
  expect([late.status, late.body.code, late.body.errors?.[0]?.path]).toEqual([400, 'bad_request', '/query/cursor'])
  expect(late.body.message).toContain('have changed')
  expect((await page(`${query}&limit=3&cursor=${first.nextCursor}`)).release).toBe(release)
})

test('GET /v1/changes gives every jurisdiction without a pricing code, and both days are among them', async () => {
  const { changes: all } = await changes('from=2025-07-01&to=2026-07-01')
  const days = new Set(all.map(({ effectiveDate }) => effectiveDate))
  expect([days.has('2025-07-01'), days.has('2026-07-01')]).toEqual([true, true])
  expect(new Set(all.map(({ pricingCode }) => pricingCode)).size).toBe(9)
  expect((await changes('from=2025-07-02&to=2025-07-02')).changes).toEqual([])
})

// MAIB premiums change on 1 December, ACT duty on 1 September 2025, Queensland's registration on 16 September 2025.
test('GET /v1/changes has the days in mid-year on which a figure changes', async () => {
  const { changes: found } = await changes('from=2025-07-02&to=2026-06-30')
  const days = new Set(found.map(({ pricingCode, effectiveDate }) => `${pricingCode} ${effectiveDate}`))
  for (const day of ['AU_ACT 2025-09-01', 'AU_TAS 2025-12-01', 'AU_QLD 2025-09-16']) expect([...days]).toContain(day)
})

test('GET /v1/changes carries the release that quotes are priced with, and an ETag', async () => {
  const first = await get<{ release: string }>('/v1/changes?from=2026-07-01&to=2026-07-31')
  const rules = await get('/v1/changes?from=2026-07-01&to=2026-07-30')
  expect(first.body.release).toMatch(/^sha256:/)
  expect(first.headers.get('etag')).not.toBe(rules.headers.get('etag'))
})

// Victoria and Western Australia: stamp duty is on an amount that includes luxury car tax.
test('a federal change names the lines of states that it moves; for one pricing code, those of that code', async () => {
  const followersOf = async (query: string) => {
    const { changes: found } = await changes(`from=2026-07-01&to=2026-07-01${query}`)
    const tax = found.find(({ name, followedBy }) => name === 'LUXURY_CAR_TAX' && followedBy)
    return tax?.followedBy?.map(({ pricingCode, component }) => `${pricingCode} ${component}`)
  }
  expect(await followersOf('&pricingCode=AU_VIC')).toEqual(['AU_VIC STAMP_DUTY'])
  expect(await followersOf('')).toEqual(expect.arrayContaining(['AU_VIC STAMP_DUTY', 'AU_WA STAMP_DUTY']))
})

test.each([
  ['to=2026-07-01', 'bad_request', '/query/from'],
  ['from=2026-07-01&to=tomorrow', 'bad_request', '/query/to'],
  ['from=2026-07-02&to=2026-07-01', 'bad_request', '/query/to'],
  ['from=2026-07-01&to=2026-07-02&limit=0', 'bad_request', '/query/limit'],
  ['from=2026-07-01&to=2026-07-02&limit=1001', 'bad_request', '/query/limit'],
  ['from=2026-07-01&to=2026-07-02&limit=many', 'bad_request', '/query/limit'],
  ['from=2026-07-01&to=2026-07-02&cursor=zzz', 'bad_request', '/query/cursor'],
  ['from=2026-07-01&to=2026-07-02&pricingCode=AU_ZZ', 'INVALID_PRICING_CODE', '/query/pricingCode'],
])('GET /v1/changes?%s is refused as %s at %s', async (query, code, path) => {
  const { status, body } = await get<Refusal>(`/v1/changes?${query}`)
  expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({ status: 400, code, path })
})

// $100 less a year for electric cars in Victoria, to 31 December 2025.
test('a fixed amount that is taken off is in cents where it ends', async () => {
  const { changes: found } = await changes('from=2026-01-01&to=2026-01-01&pricingCode=AU_VIC')
  const less = found.filter(({ path }) => path.endsWith('.less'))
  expect(less.length).toBeGreaterThan(0)
  for (const one of less) expect(one).toMatchObject({ unit: 'cents', from: 10_000, to: null })
})
