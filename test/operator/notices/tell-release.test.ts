import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { driveaway } from '../../cli/driveaway.ts'
import { startTestNats } from '../../harness/nats.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../invented-set.ts'
import { startNatsGate } from './nats-gate.ts'
import { readOutbox, withOutbox } from './outbox-reader.ts'
import { clientSpec, startTellingWorld, type TellingWorld } from './telling-world.ts'

let telling: TellingWorld
beforeAll(async () => {
  telling = await startTellingWorld()
})
beforeEach(() => telling.begin())
// Whatever a test did, no address stands in a log, a metric, a status or a ConfigMap.
afterEach(async () => {
  const texts = await telling.readByMany()
  expect(texts[0]).toContain('notices start')
  for (const text of texts) expect(text).not.toContain('@northside.example')
})
afterAll(() => telling.stop())

test('nobody is told of what was published when notices began', async () => {
  const another = await startTestNats()
  try {
    await telling.operator.child.stop()
    await telling.startOperator({ NATS_URL: another.url })
    const begun = await waitFor(
      'the first announcement',
      async () => {
        const found = await readOutbox(another.url, telling.key.trusted)
        return found.number > 0 && found
      },
      { timeoutMs: 40_000 },
    )
    expect(begun).toEqual({ number: 1, notices: [] })
  } finally {
    await another.close()
  }
})

test('a changed figure puts one notice for each client that wants notices of it, and none for others', async () => {
  const put = await telling.metric('driveaway_notices_put_total')
  await telling.charge('12.00')
  const notices = await telling.mailed(1)
  expect(notices.map((notice) => notice.client)).toEqual(['northside', 'victorian'])
  expect(notices[0]).toMatchObject({
    ...{ displayName: 'northside', environment: 'production-test', number: telling.before + 1 },
    issuedAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    release: (await telling.world.published()).index.release,
    changes: [{ pricingCode: 'AU_VIC', component: 'PLATES', old: '$10.00', new: '$12.00', from: '2026-07-01' }],
  })
  expect((await telling.metric('driveaway_notices_put_total')) - put).toBe(2)
})

test('a federal figure is told to a client of one state, because its prices rest on it', async () => {
  await telling.world.applySet(inventedSet('AU', { fee: '11.00' }))
  const fresh = await telling.mailed(1)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'sydney', 'victorian'])
  expect(new Set(fresh.flatMap(({ changes }) => changes.map(({ pricingCode }) => pricingCode)))).toEqual(
    new Set(['AU']),
  )
})

test('a withdrawn set that is published again is told as one that can be quoted again', async () => {
  await telling.world.applySet({ ...inventedSet('AU_VIC'), withdrawn: true })
  const gone = await telling.mailed(1)
  expect(gone[0]!.changes).toMatchObject([{ kind: 'set', old: 'published', new: null }])
  await telling.charge('12.00')
  const fresh = await telling.mailed(2)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'victorian'])
  expect(fresh[0]!.changes).toMatchObject([
    { kind: 'set', old: 'withdrawn', new: 'published again' },
    { component: 'PLATES', old: '$10.00', new: '$12.00' },
  ])
})

test('a release that changes only words is announced to nobody', async () => {
  const set = inventedSet('AU_VIC')
  set.rules[0]!.description = 'An invented amount, said otherwise.'
  await telling.world.applySet(set)
  expect(await telling.announced(1)).toEqual([])
})

test('what is refused is not told: only what is published is', async () => {
  await telling.world.applySet(inventedSet('AU_VIC', { fee: '15.00', example: '14.00' }))
  await telling.world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])
  await telling.world.applySet(inventedSet('AU_NSW', { fee: '16.00' }))
  const fresh = await telling.mailed(1)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'sydney'])
  expect(fresh.every(({ changes }) => changes.every(({ pricingCode }) => pricingCode === 'AU_NSW'))).toBe(true)
})

test('an operator killed after it put the notices and before it announced tells nobody twice', async () => {
  await telling.operator.child.stop()
  const gate = await startNatsGate(telling.nats.port)
  await telling.startOperator({ NATS_URL: gate.url })
  await telling.charge('13.00')
  await gate.reached
  const put = await readOutbox(telling.nats.url, telling.key.trusted)
  expect(put).toMatchObject({ number: telling.before })
  expect(put.notices).toHaveLength(2)
  await telling.mailAll()
  telling.operator.child.kill('SIGKILL')
  await telling.operator.child.exited
  gate.close()
  // Another release before another operator leads: what was told of the first is not told again.
  await telling.charge('13.50')
  await telling.startOperator()
  const after = await telling.mailed(2)
  expect(after.map(({ changes }) => changes.map((one) => [one.old, one.new]))).toEqual([
    [['$13.00', '$13.50']],
    [['$13.00', '$13.50']],
  ])
})

test('while NATS is away a release is published all the same, and told afterwards', async () => {
  await telling.nats.stop()
  try {
    await telling.charge('14.00')
    await waitFor('the fee of 14.00', async () => (await telling.world.fee('au-vic-fy27')) === '14.00', {
      timeoutMs: 10_000,
    })
    await waitFor('the metric', async () => (await telling.metric('driveaway_notices_behind_seconds')) > 0)
    expect((await fetch(`${telling.operator.healthUrl}/readyz`)).status).toBe(200)
    // A run that failed as NATS went counts as behind before the next run finds NATS away.
    await waitFor('the log', async () =>
      readFileSync(telling.operator.logFile, 'utf8').includes('notices wait: NATS is not reachable'),
    )
  } finally {
    await telling.nats.start()
  }
  const fresh = await telling.mailed(1)
  expect(fresh.map((notice) => notice.client)).toEqual(['northside', 'victorian'])
  expect(fresh[0]!.changes).toMatchObject([{ old: '$10.00', new: '$14.00' }])
  await waitFor('the metric', async () => (await telling.metric('driveaway_notices_behind_seconds')) === 0)
})

test('a later notice takes the place of one that waits, and begins where the client stands', async () => {
  await telling.charge('15.00')
  await telling.announced(1)
  await telling.charge('16.00')
  const [notice] = await telling.announced(2)
  expect(notice!.changes).toMatchObject([{ old: '$10.00', new: '$16.00' }])
  expect(notice!.replaces).toBeUndefined()
  await telling.charge('10.00')
  expect(await telling.announced(3)).toEqual([])
})

test('a notice that somebody may have is taken back by one that says so', async () => {
  await telling.charge('15.00')
  await telling.announced(1)
  await withOutbox(telling.nats.url, async ({ mailboxes }) => {
    const { mailbox, revision } = await mailboxes.read('northside')
    const waiting = { ...mailbox.waiting!, mayBeKnown: true }
    await mailboxes.write('northside', { ...mailbox, waiting }, revision)
  })
  await telling.charge('10.00')
  const notices = await telling.mailed(2)
  expect(notices).toMatchObject([{ client: 'northside', changes: [], replaces: { number: telling.before + 1 } }])
})

test('who is written to follows the object: a suspended client has nobody, a deleted one leaves nothing', async () => {
  await telling.world.applyClient('sydney', clientSpec('sydney', true, { suspended: true }))
  await waitFor('no card', async () => (await telling.cards()).length === 2)
  await telling.world.remove('ShowroomClient', 'victorian')
  await waitFor('no mailbox', async () => {
    const boxes = await withOutbox(telling.nats.url, (outbox) => outbox.mailboxes.list())
    return Object.keys(boxes.get('victorian')?.mailbox ?? {}).length === 0 && (await telling.cards()).length === 1
  })
})

test('an address that refused a notice for good is said in the status of its client, until other addresses are named', async () => {
  const box = { number: 13, digest: 'd', at: new Date().toISOString(), attempts: 1, accepted: 0, refused: 1 }
  await withOutbox(telling.nats.url, async ({ mailboxes }) => {
    const { mailbox, revision } = await mailboxes.read('northside')
    await mailboxes.write('northside', { ...mailbox, last: { ...box, state: 'dead' } }, revision)
  })
  await telling.operator.child.stop()
  await telling.startOperator()
  const reasons = async () => {
    const object = (await telling.world.read('ShowroomClient', 'northside')) as unknown as ShowroomClientObject
    return object.status?.conditions.map(({ reason }) => reason) ?? []
  }
  await waitFor('the reason', async () => (await reasons()).includes('AddressRefused'), { timeoutMs: 60_000 })
  const contacts = [{ email: 'new@northside.example', notices: true }]
  await telling.world.applyClient('northside', clientSpec('northside', true, { contacts }))
  await waitFor('its end', async () => !(await reasons()).includes('AddressRefused'), { timeoutMs: 60_000 })
})

test('an announcement to many clients waits for a person, who releases or cancels it', async () => {
  await telling.operator.child.stop()
  await telling.startOperator({ NOTICES_HOLD_ABOVE: '0' })
  const decide = (what: 'release' | 'cancel') =>
    driveaway(['notices', what, '--nats', telling.nats.url]).then(({ status, stdout }) => ({ status, stdout }))
  const isHeld = async () => (await telling.metric('driveaway_notices_held_clients')) === 2
  const held = () => waitFor('it to be held', isHeld, { timeoutMs: 60_000 })
  await telling.charge('17.00')
  await held()
  expect(await telling.announced(0)).toEqual([])
  expect((await driveaway(['notices', 'list', '--nats', telling.nats.url])).stdout).toMatch(
    /2 clients: AU_VIC: amounts for plates /,
  )
  expect(await decide('cancel')).toMatchObject({ status: 0 })
  expect(await telling.announced(1)).toEqual([])
  await telling.charge('18.00')
  await held()
  expect(await decide('release')).toMatchObject({ status: 0 })
  const [notice] = await telling.mailed(2)
  expect(notice!.changes).toMatchObject([{ old: '$17.00', new: '$18.00' }])
})

test('a word of a person ends with the release that it is of: the same rates, published again, need another', async () => {
  await telling.operator.child.stop()
  await telling.startOperator({ NOTICES_HOLD_ABOVE: '0' })
  const word = async () => (await driveaway(['notices', 'release', '--nats', telling.nats.url])).status
  const held = () =>
    withOutbox(telling.nats.url, async ({ announcements }) => (await announcements.read()).progress.held)
  await telling.charge('23.00')
  await waitFor('it to be held', async () => (await held()) !== undefined, { timeoutMs: 60_000 })
  await telling.charge('10.00')
  await waitFor('it to be held no longer', async () => (await held()) === undefined, { timeoutMs: 60_000 })
  expect(await word()).toBe(1)
  await telling.charge('23.00')
  await waitFor('it to be held again', async () => (await held()) !== undefined, { timeoutMs: 60_000 })
  expect(await telling.announced(0)).toEqual([])
})

test('what a person cancelled is told to nobody, also by the operator that finishes it', async () => {
  await telling.operator.child.stop()
  const gate = await startNatsGate(telling.nats.port, /PUB \$KV\.announcements\.[^]*"putting"/)
  await telling.startOperator({ NATS_URL: gate.url, NOTICES_HOLD_ABOVE: '0' })
  await telling.charge('22.00')
  const isHeld = async () => (await telling.metric('driveaway_notices_held_clients')) === 2
  await waitFor('it to be held', isHeld, { timeoutMs: 60_000 })
  expect((await driveaway(['notices', 'cancel', '--nats', telling.nats.url])).status).toBe(0)
  await gate.reached
  telling.operator.child.kill('SIGKILL')
  await telling.operator.child.exited
  gate.close()
  await telling.startOperator()
  expect(await telling.announced(1)).toEqual([])
})

test('a release is told of when it has lasted, and each new one starts that time anew', async () => {
  await telling.operator.child.stop()
  await telling.startOperator({ NOTICES_SETTLE_SECONDS: '6' })
  for (const fee of ['19.00', '20.00', '19.00', '21.00']) {
    await telling.charge(fee)
    await sleep(2_000)
    expect(await telling.announced(0)).toEqual([])
  }
  const [notice] = await telling.mailed(1)
  expect(notice!.changes).toMatchObject([{ old: '$10.00', new: '$21.00' }])
})
