/** How the message of a batch ends. */
export type MessageOutcome =
  /** Nothing is left to do. */
  | { end: 'ack'; why: string }
  /** To be tried again. */
  | { end: 'nak'; why: string; afterMs: number }
  /** Never to be tried again, because it cannot be read. */
  | { end: 'term'; why: string }
  /** Another attempt has the batch: whatever were said now would end the delivery that this attempt has. */
  | { end: 'none'; why: string }

/** A message that can be ended. */
interface Endable {
  ack(): void
  nak(afterMs?: number): void
  term(reason?: string): void
}

/** Ends a message: the only place that does so. */
export function endMessage(message: Endable, outcome: MessageOutcome): void {
  switch (outcome.end) {
    case 'ack':
      return message.ack()
    case 'nak':
      return message.nak(outcome.afterMs)
    case 'term':
      return message.term(outcome.why)
    case 'none':
      return
  }
}

const LONGEST_DELAY_MS = 60_000

/**
 * Milliseconds before the next attempt after this many: 1 second, then four times as long each time, at most a minute.
 */
export function retryDelay(tries: number): number {
  return Math.min(LONGEST_DELAY_MS, 1_000 * 4 ** Math.max(0, tries - 1))
}
