import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notice } from '#notices/notice.ts'
import type { ShowroomClientObject, ShowroomClientSpec } from '../../../operator/showroom-client/object.ts'
import { ended } from '../../../worker/mail/progress.ts'
import { driveaway } from '../../cli/driveaway.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNoticeKey, type NoticeKey } from '../../notices/notice-key.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'
import { startNatsGate } from './nats-gate.ts'
import { readOutbox, withOutbox } from './outbox-reader.ts'

let world: World
let nats: TestNats
let key: NoticeKey
let operator: RunningOperator
const folder = temporaryDirectory('notice-key')
const logFiles: string[] = []

async function startOperator(env: Record<string, string> = {}): Promise<RunningOperator> {
  const keyFile = join(folder.path, 'key.json')
  writeFileSync(keyFile, key.privateJwk)
  operator = await world.startOperator({
    ...{ NOTICES: 'true', NOTICES_SETTLE_SECONDS: '0', NATS_URL: nats.url, ENVIRONMENT: 'production-test' },
    ...{ NOTICES_SIGNING_KEY_FILE: keyFile, ...env },
  })
  logFiles.push(operator.logFile)
  return operator
}

/** As workers do: every notice that waits is sent. */
const mailAll = () =>
  withOutbox(nats.url, async ({ mailboxes }) => {
    for (const [name, { mailbox, revision }] of await mailboxes.list()) {
      const { waiting } = mailbox
      if (!waiting) continue
      const sent = ended(mailbox, { ...waiting, accepted: ['somebody'] }, 0, new Date())
      await mailboxes.write(name, sent, revision)
    }
  })

const client = (name: string, notices: boolean, more: Partial<ShowroomClientSpec> = {}): ShowroomClientSpec => ({
  displayName: name,
  showroomCodes: ['MEL01'],
  grants: ['pricing:quote'],
  credentials: [{ secretRef: { name } }],
  contacts: [{ email: `rates@${name}.example`, notices }],
  ...more,
})

const charge = (fee: string) => world.applySet(inventedSet('AU_VIC', { fee }))

/** Waits until the announcement of this number, then gives the notices that wait, by client. */
const announced = (number: number): Promise<Notice[]> =>
  waitFor(
    `announcement ${number}`,
    async () => {
      const found = await readOutbox(nats.url, key.trusted)
      return found.number === number && found.notices
    },
    { timeoutMs: 40_000 },
  )
/** The same, and has them mailed. */
const mailed = async (number: number): Promise<Notice[]> => {
  const notices = await announced(number)
  await mailAll()
  return notices
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${operator.healthUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

beforeAll(async () => {
  ;[world, nats, key] = await Promise.all([startWorld(), startTestNats(), aNoticeKey()])
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
  folder.remove()
})

test('nobody is told of what was published when notices began', async () => {
  expect(await announced(1)).toEqual([])
})

test('a changed figure puts one notice for each client that wants notices of it, and none for others', async () => {
  await charge('12.00')
  const notices = await mailed(2)
  expect(notices.map((notice) => notice.client)).toEqual(['northside', 'victorian'])
  expect(notices[0]).toMatchObject({
    ...{ displayName: 'northside', environment: 'production-test', number: 2 },
    issuedAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    release: (await world.published()).index.release,
    changes: [{ pricingCode: 'AU_VIC', component: 'PLATES', old: '$10.00', new: '$12.00', from: '2026-07-01' }],
  })
  expect(await metric('driveaway_notices_put_total')).toBe(2)
})

test('a federal figure is told to a client of one state, because its prices rest on it', async () => {
  await world.applySet(inventedSet('AU', { fee: '11.00' }))
  const fresh = await mailed(3)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'sydney', 'victorian'])
  expect(new Set(fresh.flatMap(({ changes }) => changes.map(({ pricingCode }) => pricingCode)))).toEqual(
    new Set(['AU']),
  )
})

test('a release that changes only words is announced to nobody', async () => {
  const set = inventedSet('AU_VIC', { fee: '12.00' })
  set.rules[0]!.description = 'An invented amount, said otherwise.'
  await world.applySet(set)
  expect(await announced(4)).toEqual([])
})

test('what is refused is not told: only what is published is', async () => {
  await world.applySet(inventedSet('AU_VIC', { fee: '15.00', example: '14.00' }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])
  await world.applySet(inventedSet('AU_NSW', { fee: '16.00' }))
  const fresh = await mailed(5)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'sydney'])
  expect(fresh.every(({ changes }) => changes.every(({ pricingCode }) => pricingCode === 'AU_NSW'))).toBe(true)
})

test('an operator killed after it put the notices and before it announced tells nobody twice', async () => {
  await operator.child.stop()
  const gate = await startNatsGate(nats.port)
  await startOperator({ NATS_URL: gate.url })
  await charge('13.00')
  await gate.reached
  const before = await readOutbox(nats.url, key.trusted)
  expect(before).toMatchObject({ number: 5 })
  expect(before.notices).toHaveLength(2)
  await mailAll()
  operator.child.kill('SIGKILL')
  await operator.child.exited
  gate.close()
  // Another release before another operator leads: what was told of the first is not told again.
  await charge('13.50')
  await startOperator()
  const after = await mailed(7)
  expect(after.map(({ changes }) => changes.map((one) => [one.old, one.new]))).toEqual([
    [['$13.00', '$13.50']],
    [['$13.00', '$13.50']],
  ])
})

test('while NATS is away a release is published all the same, and told afterwards', async () => {
  await nats.stop()
  await charge('14.00')
  await waitFor('the fee of 14.00', async () => (await world.fee('au-vic-fy27')) === '14.00', { timeoutMs: 10_000 })
  await waitFor('the metric', async () => (await metric('driveaway_notices_behind_seconds')) > 0)
  expect((await fetch(`${operator.healthUrl}/readyz`)).status).toBe(200)
  expect(readFileSync(operator.logFile, 'utf8')).toContain('notices wait: NATS is away')
  await nats.start()
  const fresh = await mailed(8)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'victorian'])
  expect(fresh[0]!.changes).toMatchObject([{ old: '$13.50', new: '$14.00' }])
  await waitFor('the metric', async () => (await metric('driveaway_notices_behind_seconds')) === 0)
})

test('a later notice takes the place of one that waits, and begins where the client stands', async () => {
  await charge('15.00')
  await announced(9)
  await charge('16.00')
  const [notice] = await announced(10)
  expect(notice!.changes).toMatchObject([{ old: '$14.00', new: '$16.00' }])
  expect(notice!.replaces).toBeUndefined()
  await charge('14.00')
  expect(await announced(11)).toEqual([])
})

test('a notice that somebody may have is taken back by one that says so', async () => {
  await charge('15.00')
  await announced(12)
  await withOutbox(nats.url, async ({ mailboxes }) => {
    const { mailbox, revision } = await mailboxes.read('northside')
    const waiting = { ...mailbox.waiting!, mayBeKnown: true }
    await mailboxes.write('northside', { ...mailbox, waiting }, revision)
  })
  await charge('14.00')
  const notices = await mailed(13)
  expect(notices).toMatchObject([{ client: 'northside', changes: [], replaces: { number: 12 } }])
})

test('who is written to follows the object: a suspended client has nobody, a deleted one leaves nothing', async () => {
  const cards = () => withOutbox(nats.url, async (outbox) => [...(await outbox.cards.list()).keys()].sort())
  expect(await cards()).toEqual(['northside', 'sydney', 'victorian'])
  await world.applyClient('sydney', client('sydney', true, { suspended: true }))
  await waitFor('no card', async () => (await cards()).length === 2)
  await world.remove('ShowroomClient', 'victorian')
  await waitFor('no mailbox', async () => {
    const boxes = await withOutbox(nats.url, (outbox) => outbox.mailboxes.list())
    return Object.keys(boxes.get('victorian')?.mailbox ?? {}).length === 0 && (await cards()).length === 1
  })
})

test('an address that refused a notice for good is said in the status of its client, until other addresses are named', async () => {
  const box = { number: 13, digest: 'd', at: new Date().toISOString(), attempts: 1, accepted: 0, refused: 1 }
  await withOutbox(nats.url, async ({ mailboxes }) => {
    const { mailbox, revision } = await mailboxes.read('northside')
    await mailboxes.write('northside', { ...mailbox, last: { ...box, state: 'dead' } }, revision)
  })
  await operator.child.stop()
  await startOperator()
  const reasons = async () => {
    const object = (await world.read('ShowroomClient', 'northside')) as unknown as ShowroomClientObject
    return object.status?.conditions.map(({ reason }) => reason) ?? []
  }
  await waitFor('the reason', async () => (await reasons()).includes('AddressRefused'), { timeoutMs: 60_000 })
  const contacts = [{ email: 'new@northside.example', notices: true }]
  await world.applyClient('northside', client('northside', true, { contacts }))
  await waitFor('its end', async () => !(await reasons()).includes('AddressRefused'), { timeoutMs: 60_000 })
})

test('an announcement to many clients waits for a person, who releases or cancels it', async () => {
  await operator.child.stop()
  await startOperator({ NOTICES_HOLD_ABOVE: '0' })
  const decide = (what: 'release' | 'cancel') =>
    driveaway(['notices', what, '--nats', nats.url]).then(({ status, stdout }) => ({ status, stdout }))
  const isHeld = async () => (await metric('driveaway_notices_held_clients')) === 1
  const held = () => waitFor('it to be held', isHeld, { timeoutMs: 60_000 })
  await charge('17.00')
  await held()
  expect(await announced(13)).toEqual([])
  expect((await driveaway(['notices', 'list', '--nats', nats.url])).stdout).toMatch(
    /1 client: AU_VIC: amounts for plates /,
  )
  expect(await decide('cancel')).toMatchObject({ status: 0 })
  expect(await announced(14)).toEqual([])
  await charge('18.00')
  await held()
  expect(await decide('release')).toMatchObject({ status: 0 })
  const [notice] = await mailed(15)
  expect(notice!.changes).toMatchObject([{ old: '$17.00', new: '$18.00' }])
})

test('a release is told of when it has lasted, and each new one starts that time anew', async () => {
  await operator.child.stop()
  await startOperator({ NOTICES_SETTLE_SECONDS: '6' })
  for (const fee of ['19.00', '20.00', '19.00', '21.00']) {
    await charge(fee)
    await sleep(2_000)
    expect(await announced(15)).toEqual([])
  }
  const [notice] = await mailed(16)
  expect(notice!.changes).toMatchObject([{ old: '$18.00', new: '$21.00' }])
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
