import type { Bytes, Evaluator } from './open-bundle.ts'
import type { ReleaseKey, ReleaseKeys } from '../rates/release/signed.ts'

export interface FollowOptions {
  /** Public keys whose bundles are believed. */
  keys: ReleaseKeys | readonly ReleaseKey[]
  /** Milliseconds between two looks; default one minute. */
  everyMs?: number
  /** Milliseconds that one request may take; default half a minute. */
  timeoutMs?: number
  /** Fields of each request's header: `Authorization`, for one. Called for each request. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>
  /** Bytes of the last bundle that was kept; they are opened first, so that quotes begin with no network. */
  kept?: Bytes | undefined
  /** Told of each release that is taken over, with its bytes to keep. */
  onRelease?: (evaluator: Evaluator, bytes: Uint8Array<ArrayBuffer>) => void
  /** Told of each look that failed; what is held stays. */
  onFault?: (fault: unknown) => void
  /** Default: the platform's. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970; default `Date.now`. */
  clock?: () => number
}

/** Follows the releases of an environment and holds the last good one. */
export interface FollowedReleases {
  /** The evaluator of the last good release; undefined before there was one. */
  readonly current: Evaluator | undefined
  /** Milliseconds since the server last said that the release is current; Infinity before it did. */
  ageMs(): number
  /** Why the last look failed; undefined where it did not. */
  readonly lastFault: unknown
  /** Looks now, unless a look is under way; resolves when that look has ended. */
  refresh(): Promise<void>
  stop(): void
}

type Open = (bytes: Bytes, keys: FollowOptions['keys']) => Promise<Evaluator>

/** Opens what was kept, looks once, and then looks again and again; `open` is `openBundle`. */
export async function startFollower(url: string, options: FollowOptions, open: Open): Promise<FollowedReleases> {
  const follower = new Follower(url, options, open)
  await follower.openKept()
  await follower.refresh()
  follower.start()
  return follower
}

class Follower implements FollowedReleases {
  current: Evaluator | undefined
  lastFault: unknown
  readonly #open: Open
  readonly #url: string
  readonly #options: FollowOptions
  #etag: string | undefined
  #confirmed: number | undefined
  #looking: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(url: string, options: FollowOptions, open: Open) {
    this.#open = open
    this.#url = url
    this.#options = options
  }

  ageMs(): number {
    return this.#confirmed === undefined ? Infinity : this.#now() - this.#confirmed
  }

  async openKept(): Promise<void> {
    const { kept, keys } = this.#options
    if (!kept) return
    try {
      this.current = await this.#open(kept, keys)
      // Nobody has confirmed the release since it was signed.
      this.#confirmed = this.current.claims.iat * 1000
    } catch (fault) {
      this.#note(fault)
    }
  }

  refresh(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)))
  }

  start(): void {
    if (this.#isStopped) return
    const look = async () => {
      await this.refresh()
      this.start()
    }
    this.#timer = setTimeout(() => void look(), this.#options.everyMs ?? 60_000)
    // In Node, a process that has nothing else to do may end.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)()
  }

  async #look(): Promise<void> {
    try {
      await this.#load()
      this.lastFault = undefined
    } catch (fault) {
      this.#note(fault)
    }
  }

  async #load(): Promise<void> {
    const { headers, timeoutMs = 30_000, fetch = globalThis.fetch.bind(globalThis), keys, onRelease } = this.#options
    const asked = this.#now()
    const own = { ...(await headers?.()), ...(this.#etag && { 'If-None-Match': this.#etag }) }
    const answer = await fetch(this.#url, { headers: own, cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
    if (answer.status === 304 && this.current) {
      this.#confirmed = asked
      return
    }
    if (!answer.ok) throw new Error(`${this.#url} answered ${answer.status}`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const opened = await this.#open(bytes, keys)
    if (this.#isStopped) return
    this.#etag = answer.headers.get('etag') ?? undefined
    this.#confirmed = asked
    this.current = opened
    onRelease?.(opened, bytes)
  }

  #note(fault: unknown): void {
    this.lastFault = fault
    this.#options.onFault?.(fault)
  }
}
