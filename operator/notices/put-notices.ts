import type { HeldMailbox } from '#notices/mailbox.ts'
import { dropped, hasNoticeOf, knownTo, replacedBy, withNotice, withoutNotice } from '#notices/mailbox-changes.ts'
import type { Recipient } from '#notices/recipient.ts'
import { sign } from '#notices/signing.ts'
import type { Writer } from '#notices/tell.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { unlessConflict } from '#runtime/nats/jetstream-error.ts'
import type { Putter, Step } from './putter.ts'
import { Writers } from './writers.ts'

const PUTS_AT_ONCE = 16
/** How many notices are queued between two checks of the remaining room. */
const LOOK_EVERY = 200

/** Queues a notice for each recipient that a release concerns; returns their number. */
export async function putNotices(putter: Putter, step: Step, recipients: readonly Recipient[]): Promise<number> {
  const round = new Round(putter, step)
  let left = recipients
  // A mailbox that a worker changed meanwhile is read again.
  while (left.length > 0 && !putter.signal.aborted) left = await round.run(left)
  return round.count
}

/**
 * Removes the waiting notices of clients that have no recipients now: a notice would be out of date by the time that
 * its client has recipients again.
 */
export async function dropOvertaken(
  { outbox, signal, telling }: Pick<Putter, 'outbox' | 'signal' | 'telling'>,
  { published }: Step,
  recipients: readonly Recipient[],
): Promise<void> {
  const writtenTo = new Set(recipients.map(({ client }) => client))
  let isAgain = true
  while (isAgain && !signal.aborted) {
    isAgain = false
    for (const [client, { mailbox, revision }] of await outbox.mailboxes.list()) {
      const { waiting } = mailbox
      if (!waiting || waiting.number >= published.number || writtenTo.has(client)) continue
      const next = dropped(mailbox, waiting, new Date(telling.issuedAt))
      // A mailbox that a worker changed meanwhile is read again.
      if (!(await outbox.mailboxes.write(client, next, revision).then(() => true, unlessConflict))) isAgain = true
    }
  }
}

/** The number of recipients that a release concerns. */
export async function countNotices(
  { outbox, telling, log }: Pick<Putter, 'outbox' | 'telling' | 'log'>,
  step: Step,
  recipients: readonly Recipient[],
): Promise<{ count: number; example?: ReturnType<Writer> }> {
  const writers = new Writers(outbox, step, { telling, log })
  const boxes = await outbox.mailboxes.list()
  let count = 0
  let example: ReturnType<Writer>
  for (const recipient of recipients) {
    const box = boxes.get(recipient.client)?.mailbox ?? {}
    const { write } = await writers.from(knownTo(box, step.announced.number))
    const notice = write(recipient, replacedBy(box))
    if (notice) count++
    example ??= notice
  }
  return { count, example }
}

class Round {
  count = 0
  readonly #putter: Putter
  readonly #step: Step
  readonly #writers: Writers
  #puts = 0

  constructor(putter: Putter, step: Step) {
    this.#putter = putter
    this.#step = step
    this.#writers = new Writers(putter.outbox, step, putter)
  }

  /** Tries each recipient once; returns those whose mailbox changed meanwhile. */
  async run(recipients: readonly Recipient[]): Promise<Recipient[]> {
    const { outbox, signal } = this.#putter
    const boxes = await outbox.mailboxes.list()
    const again: Recipient[] = []
    await inParallel(PUTS_AT_ONCE, recipients, async (recipient) => {
      if (signal.aborted) return
      const stored = boxes.get(recipient.client) ?? { mailbox: {}, revision: 0 }
      const isDone = await this.#put(recipient, stored).catch(unlessConflict)
      if (!isDone) again.push(recipient)
    })
    return again
  }

  async #put(recipient: Recipient, { mailbox, revision }: HeldMailbox): Promise<true> {
    const { outbox, key, telling, onPut } = this.#putter
    const { announced, published } = this.#step
    const { client } = recipient
    if (hasNoticeOf(mailbox, published.number)) return this.#counted(client)
    const knows = knownTo(mailbox, announced.number)
    const writer = await this.#writers.from(knows)
    const notice = writer.write(recipient, replacedBy(mailbox))
    if (!notice) {
      // A replay whose starting point is unknown is still valid, because its content did not change.
      if (mailbox.waiting && mailbox.knows !== undefined)
        await outbox.mailboxes.write(client, withoutNotice(mailbox), revision)
      return true
    }
    if (this.#puts++ % LOOK_EVERY === 0) await outbox.checkRoom()
    const page = notice.changes.length > 0 ? await writer.page() : undefined
    const stated = { ...notice, ...(page && { page }), number: published.number, issuedAt: telling.issuedAt }
    const putting = { notice: stated, token: await sign('notice', stated, key), knows, now: telling.issuedAt }
    await outbox.mailboxes.write(client, withNotice(mailbox, putting), revision)
    await outbox.markDue(client)
    onPut()
    this.count++
    return true
  }

  async #counted(client: string): Promise<true> {
    await this.#putter.outbox.markDue(client)
    this.#putter.onPut()
    this.count++
    return true
  }
}
