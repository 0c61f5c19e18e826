import { afterEach, expect, test } from 'vitest'
import { withoutNotice } from '../../notices/mailbox-changes.ts'
import { aNotice, openedOutbox, type OpenedOutbox } from '../notices/opened-outbox.ts'
import { driveaway } from './driveaway.ts'

let opened: OpenedOutbox | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const digestOf = (client: string) => client.padEnd(64, '0')

test('cancel --queued takes back the notices that nobody can have, and leaves the others and what was mailed before', async () => {
  const { nats, outbox, put } = (opened = await openedOutbox())
  for (const client of ['northside', 'southside', 'tried', 'corrected'])
    await put(aNotice({ client, digest: digestOf(client) }), [`rates@${client}.example`])
  const mailed = { day: '2026-11-22', count: 1, at: '2026-11-22T10:00:00.000Z' }
  const north = await outbox.mailboxes.read('northside')
  await outbox.mailboxes.write('northside', { ...north.mailbox, mailed }, north.revision)
  const tried = await outbox.mailboxes.read('tried')
  const known = { ...tried.mailbox.waiting!, attempts: 1, mayBeKnown: true }
  await outbox.mailboxes.write('tried', { ...tried.mailbox, waiting: known }, tried.revision)
  // Somebody has a figure that this one takes back.
  const corrected = await outbox.mailboxes.read('corrected')
  const correcting = { ...corrected.mailbox.waiting!, replaces: { number: 1, issuedAt: mailed.at } }
  await outbox.mailboxes.write('corrected', { ...corrected.mailbox, waiting: correcting }, corrected.revision)

  const { status, stdout } = await driveaway(['notices', 'cancel', '--queued', '--nats', nats.url])
  expect({ status, stdout }).toEqual({ status: 0, stdout: '2 notices taken back\n' })
  const boxes = await outbox.mailboxes.list()
  expect(boxes.get('northside')?.mailbox).toEqual({ mailed })
  expect(boxes.get('southside')?.mailbox).toEqual(withoutNotice({}))
  expect(boxes.get('tried')?.mailbox.waiting).toMatchObject({ digest: digestOf('tried'), mayBeKnown: true })
  expect(boxes.get('corrected')?.mailbox.waiting).toEqual(correcting)
  expect((await driveaway(['notices', 'list', '--nats', nats.url])).stdout).toBe('2 notices queued\n')
})

test('--queued goes with cancel alone', async () => {
  expect(await driveaway(['notices', 'release', '--queued'])).toMatchObject({ status: 2 })
})
