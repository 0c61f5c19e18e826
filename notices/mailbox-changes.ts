import type { Mailbox, Waiting } from './mailbox.ts'
import type { Notice, Replaced } from './notice.ts'

/*
 * How a mailbox changes when a release is announced. A client's next notice begins at the announcement that the client
 * knows, so a client can understand a notice although an earlier one was never sent.
 */

/**
 * The announcement at which the client's next notice begins; `announced` is the last one that every client was
 * notified of.
 */
export function knownTo({ waiting, last, knows }: Mailbox, announced: number): number {
  const isUntold = waiting !== undefined || last?.state === 'dead'
  return isUntold ? (knows ?? announced) : announced
}

/**
 * Whether the client already has its notice of an announcement, because an earlier run stopped before it recorded this.
 */
export const hasNoticeOf = ({ waiting, last }: Mailbox, number: number): boolean =>
  waiting?.number === number || (last?.number === number && last.state !== 'dropped')

/**
 * The notice that the next one replaces, if the client may have received it; none when its starting announcement is
 * unknown.
 */
export function replacedBy({ waiting, last, knows }: Mailbox): Replaced | undefined {
  if (!waiting) return last?.replaces
  return knows === undefined ? undefined : mayBeWith(waiting)
}

/** The notice that the client may have received if this one is not sent: this one, or the one that it replaces. */
export function mayBeWith({ number, issuedAt, mayBeKnown, replaces }: Waiting): Replaced | undefined {
  return mayBeKnown ? { number, issuedAt } : replaces
}

export interface NoticeToQueue {
  notice: Notice & { number: number; issuedAt: string }
  token: string
  /** The announcement at which the notice begins. */
  knows: number
  /** ISO. */
  now: string
}

/** The mailbox with a new notice to be mailed, which replaces a waiting one. */
export function withNotice(mailbox: Mailbox, { notice, token, knows, now }: NoticeToQueue): Mailbox {
  const { digest, number, issuedAt, replaces } = notice
  const waiting: Waiting = {
    token,
    digest,
    number,
    issuedAt,
    knows,
    since: now,
    replay: 0,
    attempts: 0,
    mayBeKnown: false,
    accepted: [],
    refused: [],
    ...(replaces && { replaces }),
  }
  return { ...mailbox, waiting, knows }
}

/** The mailbox of a client that no longer receives notices. */
export function dropped({ mailed }: Mailbox, waiting: Waiting, now: Date): Mailbox {
  const { number, digest, attempts } = waiting
  const last = { number, digest, state: 'dropped' as const, at: now.toISOString(), attempts, accepted: 0, refused: 0 }
  return { last, ...(mailed && { mailed }) }
}

/** Removes the waiting notice, because it no longer contains any change. */
export function withoutNotice({ last, mailed }: Mailbox): Mailbox {
  return { ...(last && { last }), ...(mailed && { mailed }) }
}
