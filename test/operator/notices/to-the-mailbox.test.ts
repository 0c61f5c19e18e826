import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { STORAGE } from '../../notices/opened-outbox.ts'
import { startMailRig, type MailRig } from '../../worker/mail/mail-rig.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'
import { startNatsGate } from './nats-gate.ts'

let world: World
let rig: MailRig
const folder = temporaryDirectory('notice-key')
const keyFile = join(folder.path, 'key.json')

beforeAll(async () => {
  ;[world, rig] = await Promise.all([startWorld(), startMailRig()])
  for (const code of ['AU', 'AU_VIC']) await world.applySet(inventedSet(code))
  for (const name of ['northside', 'westside'])
    await world.applyClient(name, {
      displayName: name,
      showroomCodes: ['MEL01'],
      grants: ['pricing:quote'],
      credentials: [{ secretRef: { name } }],
      contacts: [{ email: `rates@${name}.example`, notices: true }],
    })
  writeFileSync(keyFile, rig.key.privateJwk)
  await rig.worker('one')
})
afterAll(async () => {
  await world.stop()
  await rig.close()
  folder.remove()
})

const startOperator = (url: string): Promise<RunningOperator> =>
  world.startOperator({
    ...{ NOTICES: 'true', NOTICES_SETTLE_SECONDS: '0', NATS_URL: url, ENVIRONMENT: 'production-test' },
    NOTICES_SIGNING_KEY_FILE: keyFile,
    NOTICES_STORE_MEGABYTES: String(STORAGE.bytes / 1024 ** 2),
  })

const announced = (number: number) =>
  waitFor(
    `announcement ${number}`,
    async () => (await rig.outbox.announcements.read()).progress.announced?.number === number,
    {
      timeoutMs: 40_000,
    },
  )

const recipients = () => rig.mail.taken.flatMap((mail) => mail.recipients).sort()

test('an applied figure is in the mailbox of each client once, although the operator dies before it has said so', async () => {
  const first = await startOperator(rig.nats.url)
  await announced(1)
  await first.child.stop()
  const gate = await startNatsGate(rig.nats.port)
  const second = await startOperator(gate.url)
  await world.applySet(inventedSet('AU_VIC', { fee: '12.00' }))
  await gate.reached
  // Both are sent, and out of the stream, before the next operator does the same again.
  await waitFor('two mails', () => rig.mail.taken.length === 2, { timeoutMs: 40_000 })
  second.child.kill('SIGKILL')
  await second.child.exited
  gate.close()
  await startOperator(rig.nats.url)
  await announced(2)
  await world.applySet(inventedSet('AU_VIC', { fee: '13.00' }))
  await announced(3)
  await waitFor('the mails of the second change', () => rig.mail.taken.length >= 4, { timeoutMs: 40_000 })
  expect(recipients()).toEqual(
    ['northside', 'northside', 'westside', 'westside'].map((name) => `rates@${name}.example`),
  )
  const { email } = rig.mail.taken[0]!
  expect(email.subject).toMatch(/^AU_VIC: amounts for plates (change|are corrected) from 1 July 2026$/)
  for (const part of [email.text, email.html]) expect(part).toMatch(/\$10\.00[^$]*\$12\.00/)
})
