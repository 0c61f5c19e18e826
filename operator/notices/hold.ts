import type { HeldProgress } from '#notices/announcements.ts'
import type { Outbox } from '#notices/outbox.ts'
import type { Recipient } from '#notices/recipient.ts'
import { messageOf } from '#notices/render/message.ts'
import { countNotices } from './put-notices.ts'
import type { Step } from './putter.ts'
import type { ReleaseTeller } from './release-teller.ts'

/** What is to become of an announcement, and the progress as it is then. */
export interface Decision {
  what: 'tell' | 'cancel' | 'hold'
  stored: HeldProgress
}

interface Announcing {
  stored: HeldProgress
  step: Step
  recipients: readonly Recipient[]
}

/** Whether an announcement goes out now. One to many clients waits for a person, who is shown how many, and the subject. */
export async function isHeld(
  teller: ReleaseTeller,
  outbox: Outbox,
  { stored, step, recipients }: Announcing,
): Promise<Decision> {
  const { holdAbove, metrics, now, log, environment, today } = teller
  const { progress } = stored
  const { release } = step.published
  if (progress.decided?.release === release) {
    const { what } = progress.decided
    return { what: what === 'cancel' ? 'cancel' : 'tell', stored }
  }
  if (progress.held?.release === release && progress.held.clients > holdAbove) {
    // Not counted again: that takes up to a second of this thread, every few seconds, while suspensions wait.
    metrics.heldClients(progress.held.clients)
    return { what: 'hold', stored }
  }
  if (recipients.length <= holdAbove) return { what: 'tell', stored }
  const telling = { environment, today, issuedAt: now().toISOString() }
  const { count, example } = await countNotices({ outbox, telling, log }, step, recipients)
  if (count <= holdAbove || !example) return { what: 'tell', stored }
  const waiting = { release, clients: count, since: now().toISOString(), subject: messageOf(example).subject }
  const written = await outbox.announcements.write({ ...progress, held: waiting }, stored.revision)
  // Not before: what the metric tells of can be released.
  metrics.heldClients(count)
  log.warn({ release, clients: count }, 'an announcement waits for driveaway notices release')
  return { what: 'hold', stored: written }
}
