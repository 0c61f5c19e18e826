import { afterEach, expect, test } from 'vitest'
import type { HeldMailbox, Mailbox, Waiting } from '../../../notices/mailbox.ts'
import type { Outbox } from '../../../notices/outbox.ts'
import { syncCard, syncCards } from '../../../operator/notices/sync-cards.ts'
import { aNoticeKey } from '../../notices/notice-key.ts'
import { aNotice, openedOutbox, type OpenedOutbox } from '../../notices/opened-outbox.ts'
import { clientSpec } from './telling-world.ts'

let opened: OpenedOutbox | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const REFUSED: Mailbox = {
  last: { number: 3, digest: 'd', state: 'dead', at: '2026-11-22T10:00:00.000Z', attempts: 1, accepted: 0, refused: 1 },
}

/** The operator's view of a client with these addresses. */
function around(email: string): Parameters<typeof syncCard>[0] {
  const spec = clientSpec('northside', true, { contacts: [{ email, notices: true }] })
  const object = { metadata: { name: 'northside', uid: 'uid-1' }, spec } as never
  return { client: () => object, clients: () => [object], key: () => Promise.resolve(opened!.key.signing) }
}

/** An outbox in which something happens once, after a mailbox was read and before it is written. */
function interrupted(outbox: Outbox, happen: (read: HeldMailbox) => Promise<unknown>): Outbox {
  let isOver = false
  const read = async (name: string) => {
    const held = await outbox.mailboxes.read(name)
    if (!isOver) {
      isOver = true
      await happen(held)
    }
    return held
  }
  return { ...outbox, mailboxes: { ...outbox.mailboxes, read } }
}

test('new addresses have refused nothing, though a worker writes to the mailbox in the same moment', async () => {
  const { outbox } = (opened = await openedOutbox())
  await syncCard(around('old@northside.example'), outbox, 'northside')
  await outbox.mailboxes.write('northside', REFUSED, 0)
  const mailed = { day: '2026-11-22', count: 2, at: '2026-11-22T10:00:01.000Z' }
  const worker = ({ mailbox, revision }: HeldMailbox) =>
    outbox.mailboxes.write('northside', { ...mailbox, mailed }, revision)
  await syncCard(around('new@northside.example'), interrupted(outbox, worker), 'northside')
  expect((await outbox.mailboxes.read('northside')).mailbox).toEqual({ mailed, last: { ...REFUSED.last, refused: 0 } })
})

test('where NATS fails in between, the next run forgets the refusals of the addresses before', async () => {
  const { outbox } = (opened = await openedOutbox())
  await syncCard(around('old@northside.example'), outbox, 'northside')
  await outbox.mailboxes.write('northside', REFUSED, 0)
  const lost = () => Promise.reject(new Error('connection lost'))
  const now = around('new@northside.example')
  await expect(syncCard(now, interrupted(outbox, lost), 'northside')).rejects.toThrow('connection lost')
  await syncCard(now, outbox, 'northside')
  expect((await outbox.mailboxes.read('northside')).mailbox.last?.refused).toBe(0)
})

test('a card that is up to date is not written again, and says nothing about refusals', async () => {
  const { outbox } = (opened = await openedOutbox())
  const now = around('old@northside.example')
  await syncCard(now, outbox, 'northside')
  await outbox.mailboxes.write('northside', REFUSED, 0)
  let writes = 0
  const cards = { ...outbox.cards, write: async () => void writes++ }
  await syncCard(now, { ...outbox, cards }, 'northside')
  await syncCards(now, { ...outbox, cards })
  expect(writes).toBe(0)
  expect((await outbox.mailboxes.read('northside')).mailbox).toEqual(REFUSED)
})

test('of a client to which nobody is written nobody refuses, though an attempt ended after its card was removed', async () => {
  const { outbox } = (opened = await openedOutbox())
  const spec = clientSpec('northside', true, { suspended: true })
  const object = { metadata: { name: 'northside', uid: 'uid-1' }, spec } as never
  const now = { ...around(''), client: () => object, clients: () => [object] }
  await syncCard(now, outbox, 'northside')
  await outbox.mailboxes.write('northside', REFUSED, 0)
  await syncCards(now, outbox)
  expect((await outbox.mailboxes.read('northside')).mailbox.last?.refused).toBe(0)
})

test('addresses that are corrected while the key is rotated have refused nothing', async () => {
  const { outbox } = (opened = await openedOutbox())
  await syncCard(around('old@northside.example'), outbox, 'northside')
  await outbox.mailboxes.write('northside', REFUSED, 0)
  const { signing } = await aNoticeKey('next')
  await syncCard({ ...around('new@northside.example'), key: () => Promise.resolve(signing) }, outbox, 'northside')
  expect((await outbox.mailboxes.read('northside')).mailbox.last?.refused).toBe(0)
})

test('what waited for a client that was deleted is not for another of its name', async () => {
  const { outbox, put } = (opened = await openedOutbox())
  await put({ ...aNotice(), client: 'northside' })
  await syncCards(around('new@northside.example'), outbox)
  expect((await outbox.mailboxes.read('northside')).mailbox).toEqual({})
})

test('of a notice that waits, addresses that are named no longer have refused nothing', async () => {
  const { outbox } = (opened = await openedOutbox())
  await syncCard(around('old@northside.example'), outbox, 'northside')
  const at = '2026-11-22T10:00:00.000Z'
  const waiting: Waiting = {
    ...{ token: 't', digest: 'd', number: 3, issuedAt: at, since: at, replay: 0, attempts: 1, mayBeKnown: false },
    ...{ accepted: [], refused: ['old@northside.example'] },
  }
  await outbox.mailboxes.write('northside', { waiting }, 0)
  await syncCards(around('new@northside.example'), outbox)
  expect((await outbox.mailboxes.read('northside')).mailbox.waiting?.refused).toEqual([])
})
