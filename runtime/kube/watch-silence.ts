import type { Clock } from '../clock.ts'

/**
 * The result of a probe: nothing is newer, the stream delivered something meanwhile, the stream is behind, or there was
 * no answer.
 */
export type ProbeOutcome = 'current' | 'heard' | 'behind' | 'failed'

export interface SilenceOptions {
  clock: Clock
  /** Milliseconds without a message from the stream after which the server is probed. */
  silentMs: number
  /** Milliseconds that an event may still arrive after the server's answer. */
  graceMs: number
  /** Time of the stream's last message, on the monotonic clock. */
  heardAt: () => number
  /** Asks the server whether the stream has delivered everything. */
  isCurrent: () => Promise<boolean>
  onProbe: (outcome: ProbeOutcome) => void
  /** Called once, when the stream is behind or the server does not answer. */
  onSilent: (error: unknown) => void
}

export class SilentWatchError extends Error {
  override name = 'SilentWatchError'

  constructor(silentMs: number) {
    super(`The watch was silent for ${silentMs} ms, and the collection has changed`)
  }
}

/**
 * Probes a stream that has been silent for too long, until it is stopped. A half-open connection is silent without an
 * error, and so is the stream of a collection that nobody changes; only the server can tell them apart.
 */
export function probeSilence(options: SilenceOptions): () => void {
  const { clock, silentMs, heardAt, onProbe, onSilent } = options
  let isStopped = false
  let trustedAt = clock.elapsed()
  let cancel = clock.after(silentMs, check)

  function check(): void {
    const quietMs = clock.elapsed() - Math.max(heardAt(), trustedAt)
    if (quietMs < silentMs) cancel = clock.after(silentMs - quietMs, check)
    else void probe(options).then(took)
  }

  function took({ outcome, error }: { outcome: ProbeOutcome; error?: unknown }): void {
    if (isStopped) return
    onProbe(outcome)
    if (outcome === 'failed') return onSilent(error)
    if (outcome === 'behind') return onSilent(new SilentWatchError(silentMs))
    trustedAt = clock.elapsed()
    cancel = clock.after(silentMs, check)
  }

  return () => {
    isStopped = true
    cancel()
  }
}

async function probe({ clock, graceMs, heardAt, isCurrent }: SilenceOptions) {
  const askedAt = clock.elapsed()
  try {
    if (await isCurrent()) return { outcome: 'current' as const }
  } catch (error) {
    return { outcome: 'failed' as const, error }
  }
  await clock.sleep(graceMs)
  return { outcome: heardAt() >= askedAt ? ('heard' as const) : ('behind' as const) }
}
