import { backoff } from '#runtime/backoff.ts'
import type { KeySet } from './read-key-set.ts'

/** Nothing can be said of a token now, because its issuer's keys cannot be read. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway'
}

/** The public keys of one external issuer. */
export interface IssuerKeys {
  /** The set to verify with, the last good one while the issuer is away; waits for the first; throws IssuerAway. */
  current(): Promise<KeySet>
  /** A newer set than the one in which a token's key was not found; undefined when there is none; throws IssuerAway. */
  newerThan(tried: KeySet): Promise<KeySet | undefined>
  /** Whether what was verified with this set still holds. */
  isCurrent(set: KeySet): boolean
  /** Milliseconds since the keys were read; NaN before that. */
  age(): number
  stop(): void
}

export interface IssuerKeysOptions {
  read: () => Promise<{ set: KeySet; text: string }>
  onFault: (error: unknown) => void
  timing?: Partial<typeof TIMING>
}

/** Milliseconds. */
export const TIMING = {
  /** Between two readings: what the issuer takes out of use is out here after at most so long. */
  refresh: 300_000,
  /** After a reading, before a token with an unknown key may cause another: forged key ids must not become requests. */
  cooldown: 30_000,
  /** That the last good set counts while the issuer is away. */
  kept: 86_400_000,
  /** Of the pauses after failures, the longest. */
  retry: 60_000,
}

/** Keeps the keys of an issuer: read at once, then regularly, and when a token names a new one. */
export function followIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const follower = new Follower(options)
  void follower.reload()
  return follower
}

class Follower implements IssuerKeys {
  readonly #options: IssuerKeysOptions
  readonly #timing: typeof TIMING
  #lastRead: { set: KeySet; text: string; at: number } | undefined
  #pending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #triedAt = -Infinity
  #failures = 0
  #isStopped = false

  constructor(options: IssuerKeysOptions) {
    this.#options = options
    this.#timing = { ...TIMING, ...options.timing }
  }

  async current(): Promise<KeySet> {
    if (!this.#lastRead) await this.#pending
    if (!this.#lastRead || this.age() > this.#timing.kept) throw new IssuerAway('the keys of the issuer cannot be read')
    return this.#lastRead.set
  }

  async newerThan(tried: KeySet): Promise<KeySet | undefined> {
    if (this.isCurrent(tried)) {
      if (performance.now() - this.#triedAt >= this.#timing.cooldown) await this.reload()
      else await this.#pending
      if (this.#failures > 0) throw new IssuerAway('the keys of the issuer cannot be refreshed')
    }
    const newest = await this.current()
    return newest === tried ? undefined : newest
  }

  isCurrent(set: KeySet): boolean {
    return this.#lastRead?.set === set && this.age() <= this.#timing.kept
  }

  age(): number {
    return this.#lastRead ? performance.now() - this.#lastRead.at : NaN
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Never rejects; one reading at a time. */
  reload(): Promise<void> {
    clearTimeout(this.#timer)
    this.#pending ??= this.#read().finally(() => {
      this.#pending = undefined
      this.#next()
    })
    return this.#pending
  }

  async #read(): Promise<void> {
    this.#triedAt = performance.now()
    try {
      const { set, text } = await this.#options.read()
      const at = performance.now()
      // The same keys stay the same value, so that what was verified with them need not be verified again.
      this.#lastRead = this.#lastRead?.text === text ? { ...this.#lastRead, at } : { set, text, at }
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      this.#options.onFault(error)
    }
  }

  #next(): void {
    if (this.#isStopped) return
    const { refresh, retry } = this.#timing
    const pause = this.#failures > 0 ? backoff(this.#failures - 1, { baseMs: 1000, capMs: retry }) : refresh
    this.#timer = setTimeout(() => void this.reload(), pause).unref()
  }
}
