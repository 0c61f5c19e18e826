import type { Bytes, Evaluator } from './open-bundle.ts'
import type { ReleaseKey, ReleaseKeys } from '../rates/release/signed.ts'

export interface FollowOptions {
  /** The public keys whose bundles are trusted. */
  keys: ReleaseKeys | readonly ReleaseKey[]
  /** Milliseconds between two checks; one minute by default. */
  everyMs?: number
  /** Timeout of one request in milliseconds; half a minute by default. */
  timeoutMs?: number
  /** Header fields for each request, such as `Authorization`; called before each request. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>
  /**
   * The bytes of the last bundle, if the caller stored them; they are opened first, so that quoting works without a
   * network.
   */
  kept?: Bytes | undefined
  /** Called with each new release and its bytes, which the caller may store. */
  onRelease?: (evaluator: Evaluator, bytes: Uint8Array<ArrayBuffer>) => void
  /** Called for each failed check; the previous release stays in use. */
  onFault?: (fault: unknown) => void
  /** The platform's fetch by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970; `Date.now` by default. */
  clock?: () => number
}

/** Follows the releases of an environment and keeps the last good one. */
export interface FollowedReleases {
  /** The evaluator of the last good release; undefined before the first. */
  readonly current: Evaluator | undefined
  /**
   * Milliseconds since the server last confirmed that the release is current; Infinity before the first confirmation.
   */
  ageMs(): number
  /** Why the last check failed; undefined when it succeeded. */
  readonly lastFault: unknown
  /** Checks now, unless a check is running; resolves when that check has ended. */
  refresh(): Promise<void>
  stop(): void
}

/** The pricing API has other answers at the same address; a server of files has the file alone. */
const ACCEPT = 'application/vnd.driveaway.bundle+gzip, */*;q=0.1'

type Open = (bytes: Bytes, keys: FollowOptions['keys']) => Promise<Evaluator>

/** Opens the stored bundle, checks once, then checks periodically; `open` is `openBundle`. */
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
      // Nobody has confirmed this release since it was signed.
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
    // In Node, the timer must not keep a finished process alive.
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
    const own = { Accept: ACCEPT, ...(await headers?.()), ...(this.#etag && { 'If-None-Match': this.#etag }) }
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
    const known = this.current
    this.current = opened
    // A server that knows no If-None-Match sends the same bundle again.
    if (!isSameBundle(opened, known)) onRelease?.(opened, bytes)
  }

  #note(fault: unknown): void {
    this.lastFault = fault
    this.#options.onFault?.(fault)
  }
}

const isSameBundle = ({ release, claims }: Evaluator, other: Evaluator | undefined): boolean =>
  other?.release === release && other.claims.iat === claims.iat
