import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readRateSets } from '#rates/files/read.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { SECRETS, startWorld, type World } from './world.ts'

// One world for all: objects that hurt others once stand beside good ones, each test with names of its own.

let world: World
const real = (code: string) =>
  readRateSets(['rates/sets'])
    .map(({ spec }) => spec as RateSetSpec)
    .find(({ pricingCode, financialYear }) => pricingCode === code && financialYear === '2026-2027')!

beforeAll(async () => {
  world = await startWorld()
  // The heap of the chart.
  await world.startOperator({ NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=4' })
  await world.applySet(real('AU'))
  await world.applySet(real('AU_VIC'))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
}, 120_000)
afterAll(() => world.stop())

/** Publishes another amount of a set that stands beside the bad one. */
async function othersGoOn(fee: string): Promise<void> {
  await world.applySet(inventedSet('AU_NSW', { fee }))
  await waitFor('the good change', async () => (await world.fee('au-nsw-fy27')) === fee, { timeoutMs: 20_000 })
}

test('a number that would divide by zero, or that no sum can hold, is refused by the server', async () => {
  const spec = structuredClone(real('AU_VIC'))
  const band = spec.rules.flatMap(({ cases }) => cases).flatMap(({ charge }) => charge?.bands ?? [])[0]!
  band.whole = { rate: '10.40', per: '0' }
  await expect(world.applySet(spec)).rejects.toThrow('per: Invalid value: "0"')
  band.whole = { rate: '1000000000', per: '200' }
  await expect(world.applySet(spec)).rejects.toThrow('rate: Invalid value: "1000000000"')
})

test('22 classes of which each names the one before twice are a fault of their set, and others go on', async () => {
  const spec = structuredClone(real('AU_VIC'))
  spec.classes!.push({ name: 'c0', anyOf: [{ bodyType: ['suv'] }] })
  for (let at = 1; at <= 22; at++) {
    const before = [`c${at - 1}`]
    spec.classes!.push({ name: `c${at}`, anyOf: [{ class: before }, { class: before, bodyType: ['sedan', 'suv'] }] })
  }
  spec.rules.find(({ component }) => component === 'PLATES')!.cases[0]!.when = {
    bodyType: ['motorcycle'],
    not: ['c22'],
  }
  await world.applySet(spec)
  await othersGoOn('1.00')
  const { message } = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'CheckFailed'])
  expect(message).toMatch(/spec\.classes\[\d+\]: this part has \d+ tests/)
})

test('zones of the largest size are a fault of their set, with a bounded number of faults, and others go on', async () => {
  const postcodes = Array.from({ length: 200 }, () => '3000-3999')
  const zones = Array.from({ length: 10 }, (_, list) => ({
    name: `HOSTILE_${list}`,
    values: Array.from({ length: 20 }, (_, zone) => ({ zone: `Z${zone}`, postcodes })),
  }))
  const spec = structuredClone(real('AU_VIC'))
  await world.applySet({ ...spec, zones: [...(spec.zones ?? []), ...zones].slice(0, 10) })
  await othersGoOn('2.00')
  const { message } = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'CheckFailed'])
  expect(message).toMatch(/spec\.zones.*postcodes-once\); and 199 more$/)
})

test('a divisor that is a parameter of zero is a fault of its set, and others go on', async () => {
  const spec = structuredClone(real('AU_VIC'))
  const source = spec.sources[0]!.name
  const values = [{ value: '0', evidence: 'official' as const, sources: [source] }]
  spec.parameters = [...(spec.parameters ?? []), { name: 'NOTHING', unit: 'AUD', values }]
  const band = spec.rules.flatMap(({ cases }) => cases).flatMap(({ charge }) => charge?.bands ?? [])[0]!
  band.whole = { rate: '10.40', per: 'NOTHING' }
  await world.applySet(spec)
  await othersGoOn('3.00')
  const { message } = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'CheckFailed'])
  expect(message).toContain('whole.per: NOTHING is not above zero')
})

const client = (secret: string, more: object = {}) => ({
  displayName: 'Invented Motors',
  showroomCodes: ['MEL01'],
  grants: ['pricing:quote' as const],
  credentials: [{ secretRef: { name: secret } }],
  ...more,
})

test('a Secret of a name that Kubernetes refuses is refused by the kind', async () => {
  await expect(world.applyClient('dots', client('a..b'))).rejects.toThrow('secretRef.name: Invalid value: "a..b"')
})

test('a Secret beyond the quota is a fault of its client, and a suspension of another gets through', async () => {
  const binding = async (name: string) => (await world.publishedClients()).clients.get(name)
  await world.applyClient('good', client('good'))
  await world.until('ShowroomClient', 'good', ['Ready', 'True'])
  await world.limitSecrets(1)
  await world.applyClient('bad', client('bad'))
  const { message } = await world.until('ShowroomClient', 'bad', ['Ready', 'False'])
  expect(message).toMatch(/spec\.credentials\[0\]: Secret bad could not be created: .*403.*quota/)
  await world.applyClient('good', client('good', { suspended: true }))
  await waitFor('the suspension', async () => (await binding('good'))?.suspended === true)
  await world.limitSecrets(undefined)
  await world.until('ShowroomClient', 'bad', ['Ready', 'True'])
  expect((await binding('bad'))?.secrets).toHaveLength(1)
  expect(await world.read('Secret', 'bad')).toMatchObject({ metadata: { namespace: SECRETS } })
})
