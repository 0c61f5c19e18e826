import type { HeldProgress, Progress } from '#notices/announcements.ts'
import { keepWithdrawn } from '#notices/keep-withdrawn.ts'
import type { Announcement, Outbox } from '#notices/outbox.ts'
import { recipientOf, type Recipient } from '#notices/recipient.ts'
import type { Requeue } from '#runtime/kube/queue.ts'
import { identityOf } from '../showroom-client/identity.ts'
import { isHeld } from './hold.ts'
import { keepPage } from './keep-page.ts'
import { dropOvertaken, putNotices } from './put-notices.ts'
import type { Putter, Step } from './putter.ts'
import { findPublished, type PublishedRates } from './read-published.ts'
import type { ReleaseTeller } from './release-teller.ts'
import { syncCard, syncCards } from './sync-cards.ts'

/** The interval of a check without a new release: the announced rate sets may have been lost. */
const AGAIN_MS = 300_000
const AWAY_MS = 5_000
/** The interval at which the operator looks for a person's decision on a held announcement. */
const HELD_MS = 5_000

/**
 * Queues the notices of the current release, then records the release as announced. An interrupted run is repeated and
 * recognizes the notices that it queued before. Throws when NATS or the API server fails.
 */
export async function tellRelease(teller: ReleaseTeller): Promise<Requeue> {
  const { metrics, log, lastLook } = teller
  const opening = teller.outbox()
  if (!opening) {
    metrics.behind()
    if (!lastLook.isAway) log.warn('notices wait: NATS is not reachable')
    lastLook.isAway = true
    return { after: AWAY_MS }
  }
  lastLook.isAway = false
  try {
    const afterMs = await tell(teller, await opening)
    if (afterMs === AGAIN_MS && metrics.caughtUp()) log.info('notices are queued again')
    return { after: afterMs }
  } catch (error) {
    if (!teller.signal.aborted) metrics.behind()
    throw error
  }
}

/** Directs the notices of one client to the addresses that its object names now; throws when NATS fails. */
export async function addressNotices(teller: ReleaseTeller, client: string): Promise<Requeue> {
  const opening = teller.outbox()
  if (opening) {
    const outbox = await opening
    await syncCard(teller, outbox, client)
    return teller.refused.readOne(outbox, client)
  }
  teller.lastLook.lookedAt = 0
}

/** Does what is due; returns the milliseconds until more is due. */
async function tell(teller: ReleaseTeller, outbox: Outbox): Promise<number> {
  await lookAtAll(teller, outbox)
  const found = await findPublished(teller.cluster, teller.shards())
  if (!found) return AGAIN_MS
  const read = await withoutStaleWord(outbox, await outbox.announcements.read(), found.release)
  const stored = await finishPutting(teller, outbox, read)
  const { announced } = stored.progress
  const last = announced && (await outbox.announced(announced.number))
  if (!last) return begin(teller, outbox, { held: stored, found })
  teller.metrics.heldClients(0)
  // First, because the time starts again when a release is published again after others.
  const unsettledMs = settling(teller, found.release)
  if (last.release === found.release) return AGAIN_MS
  if (unsettledMs > 0) return unsettledMs
  const published = keepWithdrawn({ ...found.read(), number: last.number + 1 }, last)
  const step: Step = { announced: last, published }
  const recipients = recipientsOf(teller)
  const hold = await isHeld(teller, outbox, { stored, step, recipients })
  if (hold.what === 'hold') return HELD_MS
  await outbox.keepAnnounced(step.published)
  const isCancelled = hold.what === 'cancel'
  const putting = { ...numbered(step.published), ...(isCancelled && { isCancelled }) }
  const written = await outbox.announcements.write({ announced: numbered(last), putting }, hold.stored.revision)
  await complete(teller, outbox, { stored: written, step, recipients: isCancelled ? 'nobody' : recipients })
  return AGAIN_MS
}

/**
 * A waiting announcement and a person's decision on it end with their release: the same rates, published again later,
 * need a new decision.
 */
async function withoutStaleWord({ announcements }: Outbox, read: HeldProgress, release: string): Promise<HeldProgress> {
  const { held, decided, ...progress } = read.progress
  const isOfIt = (one: { release: string } | undefined) => one === undefined || one.release === release
  if (isOfIt(held) && isOfIt(decided)) return read
  return announcements.write(progress, read.revision)
}

const numbered = ({ number, release }: Announcement) => ({ number, release })

/** Milliseconds until a release has lasted long enough; each new release restarts the time. */
function settling({ lastLook, settleMs, now }: ReleaseTeller, release: string): number {
  if (lastLook.release !== release) Object.assign(lastLook, { release, since: now().getTime() })
  return Math.max(0, lastLook.since + settleMs - now().getTime())
}

/**
 * Records the published rates as announced without a notice: notices have just been switched on, or the last
 * announcement was lost.
 */
async function begin(
  { log, now }: ReleaseTeller,
  outbox: Outbox,
  { held: stored, found }: { held: HeldProgress; found: PublishedRates },
): Promise<number> {
  const { release } = found
  const number = (stored.progress.announced?.number ?? 0) + 1
  await outbox.keepAnnounced({ ...found.read(), number })
  await outbox.announcements.write({ announced: { number, release } }, stored.revision)
  await outbox.pruneAnnounced([number])
  log.info({ release, at: now().toISOString() }, 'notices start: clients are not told of earlier publications')
  return AGAIN_MS
}

/**
 * Completes an announcement that an earlier leader began: its notices are about the rate sets of that time, not about
 * those that are published now.
 */
async function finishPutting(teller: ReleaseTeller, outbox: Outbox, stored: HeldProgress): Promise<HeldProgress> {
  const { announced, putting } = stored.progress
  if (!putting) return stored
  const [last, published] = await Promise.all([
    announced && outbox.announced(announced.number),
    outbox.announced(putting.number),
  ])
  if (!last || !published) return stored
  const step = { announced: last, published }
  return complete(teller, outbox, { stored, step, recipients: putting.isCancelled ? 'nobody' : recipientsOf(teller) })
}

interface Completing {
  stored: HeldProgress
  step: Step
  /** `nobody`: a person cancelled the announcement; notices that wait for other reasons stay. */
  recipients: readonly Recipient[] | 'nobody'
}

async function complete(
  teller: ReleaseTeller,
  outbox: Outbox,
  { stored, step, recipients }: Completing,
): Promise<HeldProgress> {
  const { environment, today, now, key, signal, metrics, log } = teller
  const telling = { environment, today, issuedAt: now().toISOString() }
  const putter: Putter = {
    outbox,
    telling,
    signal,
    log,
    key: await key(),
    onPut: () => metrics.put(),
    keepPage: (page) => keepPage(teller.cluster, page, log),
  }
  const count = recipients === 'nobody' ? 0 : await putNotices(putter, step, recipients)
  if (recipients !== 'nobody') await dropOvertaken(putter, step, recipients)
  if (signal.aborted) return stored
  const { number, release } = step.published
  const progress: Progress = { announced: { number, release } }
  const written = await outbox.announcements.write(progress, stored.revision)
  log.info({ release, number, notices: count }, 'told')
  await outbox.pruneAnnounced(await neededBy(outbox, number))
  return written
}

/**
 * Announcements whose rate sets are still needed: the last one, and those at which the next notice of some client
 * starts.
 */
async function neededBy(outbox: Outbox, number: number): Promise<number[]> {
  const boxes = await outbox.mailboxes.list()
  const known = [...boxes.values()].flatMap(({ mailbox }) => mailbox.knows ?? [])
  const MOST = 32
  return [number, ...[...new Set(known)].sort((a, b) => b - a).slice(0, MOST)]
}

/** At intervals, visits all clients for changes that were missed while this operator did not lead or NATS was away. */
async function lookAtAll(teller: ReleaseTeller, outbox: Outbox): Promise<void> {
  const { lastLook, now } = teller
  if (now().getTime() - lastLook.lookedAt < AGAIN_MS) return
  await syncCards(teller, outbox)
  await markAllDue(outbox)
  await teller.refused.read(outbox)
  lastLook.lookedAt = now().getTime()
}

/** Marks every client with a waiting notice as due: a program may have stopped before it did so. */
async function markAllDue(outbox: Outbox): Promise<void> {
  for (const [client, { mailbox }] of await outbox.mailboxes.list()) if (mailbox.waiting) await outbox.markDue(client)
}

const recipientsOf = ({ clients }: ReleaseTeller): Recipient[] =>
  [...clients()].flatMap((client) => {
    const recipient = recipientOf(client.metadata.name, client.spec)
    return recipient ? [{ ...recipient, uid: identityOf(client) }] : []
  })
