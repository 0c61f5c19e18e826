import type { Mailbox, Mailed, Waiting } from '#notices/mailbox.ts'
import { mayBeWith } from '#notices/mailbox-changes.ts'
import type { SendingResult } from './sending-result.ts'

/** The notice at the start of an attempt: from now on somebody may have received it. */
export const begin = (waiting: Waiting): Waiting => ({ ...waiting, attempts: waiting.attempts + 1, mayBeKnown: true })

/** The notice after an attempt. */
export function follow(begun: Waiting, result: SendingResult, before: Waiting): Waiting {
  const accepted = [...begun.accepted, ...result.accepted]
  const refused = [...begun.refused, ...result.refused]
  // When the server explicitly deferred the mail, nobody has received it.
  const mayBeKnown = before.mayBeKnown || accepted.length > 0 || !result.isKnown
  const reason = result.reason === '' ? begun.reason : result.reason
  const copies = (begun.copies ?? 0) + Number(!result.isKnown)
  const known = { mayBeKnown, isUnanswered: !result.isKnown, copies }
  return { ...begun, accepted, refused, ...known, ...(reason !== undefined && { reason }) }
}

/** Addresses that still have to get a notice. */
export const leftOf = ({ accepted, refused }: Waiting, to: readonly string[]): string[] =>
  to.filter((address) => !accepted.includes(address) && !refused.includes(address))

/** What was mailed to a client, after one more mail. */
export function oneMore(mailed: Mailed | undefined, now: Date): Mailed {
  const at = now.toISOString()
  const day = at.slice(0, 10)
  return { day, at, count: mailed?.day === day ? mailed.count + 1 : 1 }
}

/** The mailbox once nothing more is sent of the notice that waited. */
export function ended(mailbox: Mailbox, waiting: Waiting, givenUp: number, now: Date): Mailbox {
  const { number, digest, attempts, accepted } = waiting
  const state = accepted.length > 0 ? 'sent' : 'dead'
  const { knows, mailed } = mailbox
  const replaces = state === 'dead' ? mayBeWith(waiting) : undefined
  const counts = { attempts, accepted: accepted.length, refused: givenUp }
  const last = { number, digest, at: now.toISOString(), ...counts, ...(replaces && { replaces }) }
  return {
    last: { ...last, state },
    ...(mailed && { mailed }),
    // A client that received nothing of the notice still knows what it knew before.
    ...(state === 'dead' && knows !== undefined && { knows }),
  }
}
