import { backoff } from '#runtime/backoff.ts'
import type { KeySet } from './read-key-set.ts'

/** A token cannot be checked now, because the keys of its issuer cannot be read. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway'
}

/** The public keys of one external issuer. */
export interface IssuerKeys {
  /**
   * The key set to verify with. Waits for the first one; while the issuer is away, the last good set. Throws
   * IssuerAway.
   */
  current(): Promise<KeySet>
  /** A newer set than the one that lacks a token's key; undefined when there is none. Throws IssuerAway. */
  newerThan(tried: KeySet): Promise<KeySet | undefined>
  /** Whether a token that was verified with this set is still valid. */
  isCurrent(set: KeySet): boolean
  /** Milliseconds since the keys were last read; NaN before the first time. */
  age(): number
  stop(): void
}

export interface IssuerKeysOptions {
  read: () => Promise<{ set: KeySet; text: string }>
  onFault: (error: unknown) => void
  timing?: Partial<typeof TIMING>
}

/** Durations in milliseconds. */
export const TIMING = {
  /** Between two reads: a key that the issuer retires is refused here after at most this long. */
  refresh: 300_000,
  /** After a read, before an unknown key id may cause another read: forged key ids must not cause requests. */
  cooldown: 30_000,
  /** How long the last good set is used while the issuer is away. */
  kept: 86_400_000,
  /** The longest pause after failures. */
  retry: 60_000,
}

/** Follows the keys of an issuer: reads them at once, then regularly, and when a token names an unknown key. */
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

  /** Never rejects; at most one read at a time. */
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
      // Unchanged keys remain the same object, so that tokens verified with them need not be verified again.
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
