import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig
beforeAll(async () => {
  rig = await startMailRig()
  await rig.worker('one', { SMTP_TIMEOUT_SECONDS: '2', SMTP_CONNECT_SECONDS: '1' })
})
afterEach(() => void (rig.mail.answers = {}))
afterAll(() => rig.close())

const isQueueEmpty = () =>
  rig.store.manager.streams.info(DUE_CLIENTS).then(
    ({ state }) => state.messages === 0,
    () => false,
  )
const SLOW = { timeoutMs: 40_000 }

test('while the SMTP server is down notices wait, and none is lost when it is back', async () => {
  await rig.mail.stop()
  const notices = await Promise.all(Array.from({ length: 10 }, (_, index) => rig.put(`down${index}-`)))
  await waitFor('an attempt at each', async () => {
    const records = await Promise.all(notices.map((notice) => rig.recordOf(notice)))
    return records.every((record) => (record?.attempts ?? 0) >= 1)
  })
  await rig.mail.start()
  await waitFor('all to be sent', isQueueEmpty, SLOW)
  expect(notices.map((notice) => rig.mailsOf(notice).length)).toEqual(notices.map(() => 1))
})

test.each([
  ['a recipient', (code: number) => ({ recipient: () => code })],
  ['the mail', (code: number) => ({ data: () => code })],
  ['the sender', (code: number) => ({ sender: () => code })],
])('when the server puts off %s with 450, the notice is tried again', async (what, answering) => {
  rig.mail.answers = answering(450)
  const notice = await rig.put(`450-${what.length}-`)
  await waitFor('two attempts', async () => ((await rig.recordOf(notice))?.attempts ?? 0) >= 2, SLOW)
  expect(rig.mailsOf(notice)).toHaveLength(0)
  rig.mail.answers = {}
  await waitFor('it to be sent', isQueueEmpty, SLOW)
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

test('what a server refuses of ourselves, by 550 to the sender, is no fault of the notice: it waits', async () => {
  rig.mail.answers.sender = () => 550
  const notice = await rig.put('sender')
  await waitFor('two attempts', async () => ((await rig.recordOf(notice))?.attempts ?? 0) >= 2, SLOW)
  rig.mail.answers = {}
  await waitFor('it to be sent', isQueueEmpty, SLOW)
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', accepted: 1 })
})

test('a server that hangs is left after a while, and the notice is tried again', async () => {
  let hanging = true
  rig.mail.answers.data = () => (hanging ? new Promise(() => undefined) : undefined)
  const notice = await rig.put('hanging')
  await waitFor('the second attempt', async () => ((await rig.recordOf(notice))?.attempts ?? 0) >= 2, SLOW)
  hanging = false
  await waitFor('it to be sent', isQueueEmpty, SLOW)
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

test('while nats-server is killed again and again under many notices, each is sent, and once', async () => {
  const notices = await Promise.all(Array.from({ length: 30 }, (_, index) => rig.put(`nats${index}-`)))
  rig.mail.answers.data = () => sleep(200, undefined)
  for (let round = 0; round < 3; round += 1) {
    await sleep(500)
    await rig.nats.kill()
    await sleep(300)
    await rig.nats.start()
  }
  await waitFor('all to be sent', isQueueEmpty, { timeoutMs: 50_000 })
  expect(notices.map((notice) => rig.mailsOf(notice).length)).toEqual(notices.map(() => 1))
})
