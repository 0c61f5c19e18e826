import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notice } from '#notices/notice.ts'
import type { ShowroomClientSpec } from '../../../operator/showroom-client/object.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'
import { startNatsGate } from './nats-gate.ts'
import { readOutbox } from './outbox-reader.ts'

let world: World
let nats: TestNats
let operator: RunningOperator
const logFiles: string[] = []

async function startOperator(url = nats.url): Promise<RunningOperator> {
  const notices = { NOTICES: 'true', NOTICES_SETTLE_SECONDS: '0', NATS_URL: url, ENVIRONMENT: 'production-test' }
  operator = await world.startOperator(notices)
  logFiles.push(operator.logFile)
  return operator
}

const client = (name: string, notices: boolean, more: Partial<ShowroomClientSpec> = {}): ShowroomClientSpec => ({
  displayName: name,
  showroomCodes: ['MEL01'],
  grants: ['pricing:quote'],
  credentials: [{ secretRef: { name } }],
  contacts: [{ email: `rates@${name}.example`, notices }],
  ...more,
})

const charge = (fee: string) => world.applySet(inventedSet('AU_VIC', { fee }))

/** Waits until the announcement of this number, then gives the notices put so far. */
const announced = (number: number): Promise<Notice[]> =>
  waitFor(
    `announcement ${number}`,
    async () => {
      const found = await readOutbox(nats.url)
      return found.number === number && found.notices
    },
    { timeoutMs: 40_000 },
  )

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${operator.healthUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

beforeAll(async () => {
  ;[world, nats] = await Promise.all([startWorld(), startTestNats()])
  for (const code of ['AU', 'AU_VIC', 'AU_NSW']) await world.applySet(inventedSet(code))
  await world.applyClient('northside', client('northside', true))
  await world.applyClient('victorian', client('victorian', true, { notices: { pricingCodes: ['AU_VIC'] } }))
  await world.applyClient('sydney', client('sydney', true, { notices: { pricingCodes: ['AU_NSW'] } }))
  await world.applyClient('quiet', client('quiet', false))
  await world.applyClient('suspended', client('suspended', true, { suspended: true }))
  await startOperator()
})
afterAll(async () => {
  await world.stop()
  await nats.close()
})

test('nobody is told of what was published when notices began', async () => {
  expect(await announced(1)).toEqual([])
})

test('a changed figure puts one notice for each client that wants notices of it, and none for others', async () => {
  await charge('12.00')
  const notices = await announced(2)
  expect(notices.map((notice) => notice.client).sort()).toEqual(['northside', 'victorian'])
  expect(notices.find((notice) => notice.client === 'northside')).toMatchObject({
    to: ['rates@northside.example'],
    environment: 'production-test',
    release: (await world.published()).index.release,
    changes: [{ pricingCode: 'AU_VIC', component: 'PLATES', old: '$10.00', new: '$12.00', from: '2026-07-01' }],
  })
  expect(await metric('driveaway_notices_put_total')).toBe(2)
})

test('a federal figure is told to a client of one state, because its prices rest on it', async () => {
  await world.applySet(inventedSet('AU', { fee: '11.00' }))
  const fresh = (await announced(3)).slice(2)
  expect(fresh.map((notice) => notice.client).sort()).toEqual(['northside', 'sydney', 'victorian'])
  expect(new Set(fresh.flatMap(({ changes }) => changes.map(({ pricingCode }) => pricingCode)))).toEqual(
    new Set(['AU']),
  )
})

test('a release that changes only words is announced to nobody', async () => {
  const set = inventedSet('AU_VIC', { fee: '12.00' })
  set.rules[0]!.description = 'An invented amount, said otherwise.'
  await world.applySet(set)
  expect(await announced(4)).toHaveLength(5)
})

test('what is refused is not told: only what is published is', async () => {
  await world.applySet(inventedSet('AU_VIC', { fee: '15.00', example: '14.00' }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])
  await world.applySet(inventedSet('AU_NSW', { fee: '16.00' }))
  const fresh = (await announced(5)).slice(5)
  expect(fresh.map((notice) => notice.client).sort()).toEqual(['northside', 'sydney'])
  expect(fresh.every(({ changes }) => changes.every(({ pricingCode }) => pricingCode === 'AU_NSW'))).toBe(true)
})

test('an operator killed after it put the notices and before it announced tells nobody twice', async () => {
  await operator.child.stop()
  const gate = await startNatsGate(nats.port)
  await startOperator(gate.url)
  await charge('13.00')
  await gate.reached
  const before = await readOutbox(nats.url)
  expect(before).toMatchObject({ number: 5 })
  expect(before.notices).toHaveLength(9)
  operator.child.kill('SIGKILL')
  await operator.child.exited
  gate.close()
  await startOperator()
  expect(await announced(6)).toEqual(before.notices)
})

test('while NATS is away a release is published all the same, and told afterwards', async () => {
  await nats.stop()
  await charge('14.00')
  await waitFor('the fee of 14.00', async () => (await world.fee('au-vic-fy27')) === '14.00', { timeoutMs: 10_000 })
  await waitFor('the metric', async () => (await metric('driveaway_notices_behind_seconds')) > 0)
  expect((await fetch(`${operator.healthUrl}/readyz`)).status).toBe(200)
  expect(readFileSync(operator.logFile, 'utf8')).toContain('notices wait: NATS is away')
  await nats.start()
  const fresh = (await announced(7)).slice(9)
  expect(fresh.map((notice) => notice.client).sort()).toEqual(['northside', 'victorian'])
  expect(fresh[0]!.changes).toMatchObject([{ old: '$13.00', new: '$14.00' }])
  await waitFor('the metric', async () => (await metric('driveaway_notices_behind_seconds')) === 0)
})

test('a figure that changes, changes back and changes again is told three times', async () => {
  for (const [index, fee] of ['15.00', '14.00', '15.00'].entries()) {
    await charge(fee)
    await announced(8 + index)
  }
  const told = (await announced(10)).slice(11).filter((notice) => notice.client === 'northside')
  expect(told.map(({ changes }) => `${changes[0]!.old} ${changes[0]!.new}`)).toEqual([
    '$14.00 $15.00',
    '$15.00 $14.00',
    '$14.00 $15.00',
  ])
})

test('no address stands in a log, a metric, a status or a ConfigMap', async () => {
  const statuses = await world.list('/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/showroomclients')
  const texts = [
    ...logFiles.map((file) => readFileSync(file, 'utf8')),
    await (await fetch(`${operator.healthUrl}/metrics`)).text(),
    JSON.stringify(statuses.map((each) => (each as { status?: object }).status)),
    JSON.stringify(await world.list('/api/v1/namespaces/driveaway/configmaps')),
    JSON.stringify(await world.list('/apis/events.k8s.io/v1/namespaces/driveaway/events')),
  ]
  expect(texts[0]).toContain('told')
  for (const text of texts) expect(text).not.toContain('@northside.example')
})
