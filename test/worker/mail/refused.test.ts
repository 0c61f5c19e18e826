import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NOTICE_DEAD_LETTERS, DUE_CLIENTS } from '../../../notices/storage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig
beforeAll(async () => {
  rig = await startMailRig()
  await rig.worker('one')
})
afterEach(async () => {
  rig.mail.answers = {}
  await rig.store.manager.streams.purge(NOTICE_DEAD_LETTERS)
})
afterAll(() => rig.close())

const isQueueEmpty = async () => (await rig.store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
const isOver = () => waitFor('the notice to be over', isQueueEmpty, { timeoutMs: 30_000 })
const letters = () => rig.store.deadLetters.list()

function driveaway(...args: string[]) {
  const env = { PATH: process.env['PATH'], NATS_URL: rig.nats.url }
  const command = ['cli/main.ts', 'dead-letters', ...args, '--notices']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const to = ['here@northside.example', 'gone@northside.example', 'full@northside.example']

test.each([
  ['the recipient', { recipient: () => 550 }],
  ['the mail', { data: () => 554 }],
])(
  'a notice of which %s is refused for good is a dead letter with the reason, and sent when it is replayed',
  async (what, answers) => {
    rig.mail.answers = answers
    const notice = await rig.put(`refused-${what.length}-`)
    await isOver()
    expect(rig.mailsOf(notice)).toEqual([])
    expect(await rig.recordOf(notice)).toEqual(dead)
    expect(driveaway('list')).toMatchObject({ status: 0 })
    expect(driveaway('list').stdout).toMatch(
      new RegExp(`^${notice.digest}  ${notice.client}  20.*Z  1 recipient  .*: 55[04] .*not now, or never\n$`),
    )
    rig.mail.answers = {}
    expect(driveaway('replay', notice.digest)).toMatchObject({
      status: 0,
      stdout: `${notice.digest} put back to be mailed\n`,
    })
    await waitFor('the mail', () => rig.mailsOf(notice).length === 1)
    await isOver()
    expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', accepted: 1 })
    expect(driveaway('list')).toMatchObject({ stdout: '', stderr: 'no dead letters\n' })
  },
)

const dead = { state: 'dead', attempts: 1, accepted: 0, refused: 1 }

test('a replay that is refused again is a dead letter again, which counts its replays', async () => {
  rig.mail.answers.recipient = () => 550
  const notice = await rig.put('refused-twice')
  await isOver()
  driveaway('replay', '--all')
  await waitFor('the second dead letter', async () => (await letters())[0]?.replay === 1)
  expect(driveaway('list').stdout).toContain(', replayed 1 times')
  expect(rig.mailsOf(notice)).toEqual([])
})

test('when some recipients are refused the others get their mail once, and a replay goes only to those who did not', async () => {
  rig.mail.answers.recipient = (address) => (address.startsWith('gone') ? 550 : undefined)
  const notice = await rig.put('partly', { client: 'northside' }, to)
  await isOver()
  expect(rig.mailsOf(notice).map(({ recipients }) => recipients)).toEqual([[to[0], to[2]]])
  expect(await rig.recordOf(notice)).toEqual({
    ...{ state: 'sent', attempts: 1, accepted: 2, refused: 1 },
  })
  expect(await letters()).toMatchObject([{ client: 'northside', digest: notice.digest, recipients: 1 }])
  rig.mail.answers = {}
  driveaway('replay', '--all')
  await waitFor('the second mail', () => rig.mailsOf(notice).length === 2)
  const [, second] = rig.mailsOf(notice)
  expect(second?.recipients).toEqual([to[1]])
})

test('when some are put off, only they are tried again', async () => {
  let isFull = true
  rig.mail.answers.recipient = (address) => {
    if (address.startsWith('gone')) return 550
    return address.startsWith('full') && isFull ? 452 : undefined
  }
  const notice = await rig.put('put-off', {}, to)
  await waitFor('two attempts', async () => ((await rig.recordOf(notice))?.attempts ?? 0) >= 2)
  expect(await letters()).toEqual([])
  isFull = false
  await isOver()
  expect(rig.mailsOf(notice).map(({ recipients }) => recipients)).toEqual([[to[0]], [to[2]]])
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', accepted: 2, refused: 1 })
  expect(await letters()).toMatchObject([{ recipients: 1 }])
})

test('a notice that was tried for as long as notices are is given up, with what the server said last', async () => {
  const other = await startMailRig()
  await other.worker('impatient', { NOTICE_GIVE_UP_SECONDS: '2' })
  other.mail.answers.data = () => 451
  const notice = await other.put('late')
  await waitFor('the dead letter', async () => (await other.store.deadLetters.list()).length === 1, {
    timeoutMs: 30_000,
  })
  const [letter] = await other.store.deadLetters.list()
  expect(letter?.reason).toMatch(/^not delivered in time: .*451 .*not now, or never/)
  expect((await other.recordOf(notice))?.attempts).toBeGreaterThan(1)
  await other.close()
})

test('no address stands in the log, whatever the server says of it', async () => {
  rig.mail.answers.recipient = () => 550
  await rig.put('unnamed')
  await isOver()
  const log = rig.logOf('one')
  expect(log).toContain('"code":"550 RCPT TO"')
  expect(log).not.toMatch(/northside\.example|driveaway\.example/)
})
