import type { HeldProgress } from '#notices/announcements.ts'
import type { Outbox } from '#notices/outbox.ts'
import type { Recipient } from '#notices/recipient.ts'
import { messageOf } from '#notices/render/message.ts'
import { countNotices } from './put-notices.ts'
import type { Step } from './putter.ts'
import type { ReleaseTeller } from './release-teller.ts'

/** What happens to an announcement, and the progress afterwards. */
export interface HoldDecision {
  what: 'tell' | 'cancel' | 'hold'
  stored: HeldProgress
}

interface Announcing {
  stored: HeldProgress
  step: Step
  recipients: readonly Recipient[]
}

/**
 * Decides whether an announcement is sent now. One to many clients waits for a person, who sees the number of clients
 * and the subject.
 */
export async function isHeld(
  teller: ReleaseTeller,
  outbox: Outbox,
  { stored, step, recipients }: Announcing,
): Promise<HoldDecision> {
  const { holdAbove, metrics, now, log, environment, today } = teller
  const { progress } = stored
  const { release } = step.published
  if (progress.decided?.release === release) {
    const { what } = progress.decided
    return { what: what === 'cancel' ? 'cancel' : 'tell', stored }
  }
  if (progress.held?.release === release && progress.held.clients > holdAbove) {
    // Not counted again: counting takes this thread up to a second, every few seconds, while suspensions wait.
    metrics.heldClients(progress.held.clients)
    return { what: 'hold', stored }
  }
  if (recipients.length <= holdAbove) return { what: 'tell', stored }
  const telling = { environment, today, issuedAt: now().toISOString() }
  const { count, example } = await countNotices({ outbox, telling, log }, step, recipients)
  if (count <= holdAbove || !example) return { what: 'tell', stored }
  const waiting = { release, clients: count, since: now().toISOString(), subject: messageOf(example).subject }
  const written = await outbox.announcements.write({ ...progress, held: waiting }, stored.revision)
  // Set only now: a person can release an announcement as soon as the metric reports it.
  metrics.heldClients(count)
  log.warn({ release, clients: count }, 'an announcement waits for driveaway notices release')
  return { what: 'hold', stored: written }
}
