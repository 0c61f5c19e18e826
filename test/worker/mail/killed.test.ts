import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, type TestContext } from 'vitest'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { openTcpGate } from '../../harness/tcp-gate.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

// Each test waits for seconds in which nothing happens: they wait at the same time, each with servers of its own.
async function startRig(onTestFinished: TestContext['onTestFinished']): Promise<MailRig> {
  const rig = await startMailRig()
  onTestFinished(() => rig.close())
  return rig
}

const isQueueEmpty = async (rig: MailRig) => (await rig.store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
/** A notice of a worker that is gone comes to another after 15 seconds. */
const SLOW = { timeoutMs: 45_000 }

test.concurrent(
  'when a worker is killed before the server has answered, another sends the notice, and there is one mail',
  async ({ onTestFinished }) => {
    const rig = await startRig(onTestFinished)
    const first = await rig.worker('first')
    rig.mail.answers.data = () => new Promise(() => undefined)
    const notice = await rig.put('before')
    await waitFor('the mail to be under way', () => rig.mail.seen.length === 1)
    await first.kill()
    rig.mail.answers = {}
    expect(await rig.recordOf(notice)).toMatchObject({ state: 'waiting', attempts: 1 })
    await rig.worker('second')
    await waitFor('the end of the notice', () => isQueueEmpty(rig), SLOW)
    expect(rig.mailsOf(notice)).toHaveLength(1)
    expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', attempts: 2, accepted: 1 })
  },
)

// RFC 1047 calls it unavoidable: the mail is the server's as soon as it answers, and the worker can die before it writes that down.
test.concurrent(
  'when it is killed between the answer and its writing, there are two mails, of one Message-ID: the stated limit',
  async ({ onTestFinished }) => {
    const rig = await startRig(onTestFinished)
    const gate = await openTcpGate(rig.nats.port)
    onTestFinished(() => gate.close())
    const first = await rig.worker('first', { NATS_URL: `nats://127.0.0.1:${gate.port}` })
    rig.mail.answers.data = () => void gate.shut()
    const notice = await rig.put('between')
    await waitFor('the answer to the mail', () => rig.mailsOf(notice).length === 1)
    // The worker has the answer and tries to write; nothing of it arrives.
    await sleep(500)
    await first.kill()
    rig.mail.answers = {}
    expect(await rig.recordOf(notice)).toMatchObject({ state: 'waiting', attempts: 1 })
    await rig.worker('second')
    await waitFor('the end of the notice', () => isQueueEmpty(rig), SLOW)
    const mails = rig.mailsOf(notice)
    expect(mails).toHaveLength(2)
    expect(new Set(mails.map(({ email }) => email.messageId)).size).toBe(1)
    expect(rig.mail.taken).toHaveLength(2)
  },
)

test.concurrent(
  'when only NATS is away at the answer, the worker writes it down as soon as it is back, and there is one mail',
  async ({ onTestFinished }) => {
    const rig = await startRig(onTestFinished)
    await rig.worker('first')
    rig.mail.answers.data = async () => {
      await rig.nats.kill()
      return undefined
    }
    const notice = await rig.put('away')
    await waitFor('the answer to the mail', () => rig.mailsOf(notice).length === 1)
    await sleep(1_000)
    rig.mail.answers = {}
    await rig.nats.start()
    await rig.worker('second')
    await waitFor('the end of the notice', () => isQueueEmpty(rig).catch(() => false), SLOW)
    expect(rig.mailsOf(notice)).toHaveLength(1)
  },
)

test.concurrent('a worker that is told to stop finishes the mail that is under way', async ({ onTestFinished }) => {
  const rig = await startRig(onTestFinished)
  const first = await rig.worker('first')
  rig.mail.answers.data = () => sleep(1_500, undefined)
  const notice = await rig.put('stopped')
  await waitFor('the mail to be under way', () => rig.mail.seen.length === 1)
  await first.stop()
  expect(rig.mailsOf(notice)).toHaveLength(1)
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', attempts: 1 })
  expect(await isQueueEmpty(rig)).toBe(true)
})

test.concurrent(
  'a mail that the server takes longer over than a notice may be silent is still one worker’s alone',
  async ({ onTestFinished }) => {
    const rig = await startRig(onTestFinished)
    // With one place each, only the other worker could take it.
    await Promise.all(['first', 'second'].map((name) => rig.worker(name, { SMTP_CONNECTIONS: '1' })))
    rig.mail.answers.data = () => sleep(20_000, undefined)
    const notice = await rig.put('slow')
    await waitFor('the end of the notice', () => isQueueEmpty(rig), SLOW)
    expect(rig.mail.seen).toHaveLength(1)
    expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', attempts: 1 })
  },
)
