import { isDeepStrictEqual } from 'node:util'
import type { Loaded, PublishedKind } from '#rates/published/format.ts'
import { systemClock, type Cancel, type Clock } from '#runtime/clock.ts'
import type { Reader } from './formats.ts'

/** One API process and what it last answered at `/loaded`. */
export interface ApiProcess {
  url: string
  /** Kept while one or two answers are missed; absent when the process has never answered or has missed three. */
  loaded?: Loaded
  /** Whether the process serves rates; assumed true until it has answered. */
  servesRates: boolean
  /** Answers in a row that were missed, or that named something other than what is published. */
  late: number
}

/**
 * A process counts as behind after this many late answers: a single one may be due to a full socket, a pause or a
 * restart.
 */
const BEHIND_AFTER = 3

export const isBehind = ({ late }: ApiProcess): boolean => late >= BEHIND_AFTER

export interface LoadedPoller {
  /** One for each address, in order, as of the last round. */
  processes(): readonly ApiProcess[]
  /**
   * The processes that ran when `kind` was last published, or all processes when none of those is left; each with its
   * answers since then.
   */
  audience(kind: PublishedKind): readonly ApiProcess[]
  /** The formats that each process reads, including processes that are not ready yet. */
  readers(): readonly Reader[]
  /** Starts asking; `connections` links the poller to the parts that are built later. */
  start(connections: PollerConnections): void
  /**
   * Records the index of `kind`. For a new index, the processes that run now become its audience and are asked at once.
   */
  published(kind: PublishedKind, index: { sequence: number }): void
  /** Asks at once, and frequently while something is new. */
  hurry(): void
  stop(): Promise<void>
}

export interface PollerOptions {
  /** Addresses of the current processes. */
  urls: () => readonly string[]
  /**
   * Addresses of processes that are not ready yet: they are asked for the formats that they read, and nobody waits for
   * them.
   */
  startingUrls?: (() => readonly string[]) | undefined
  /** Asks one process; rejects when it does not answer. */
  ask: (url: string) => Promise<Loaded>
  /** Milliseconds between rounds: while something is new, and otherwise. */
  oftenMs?: number
  rarelyMs?: number
  clock?: Clock
}

export interface PollerConnections {
  /** Whether a process serves everything that is published. */
  isCurrent: (process: ApiProcess) => boolean
  /** Whether anything waits for the processes, apart from processes that are not current. */
  isAwaited: () => boolean
  /** Called after each round that changed something. */
  onChange: () => void
}

/** Limits frequent asking: a process that is away must not be asked four times a second for ever. */
const HURRIED_MS = 120_000

/** Asks every API process what it serves, frequently while something is new. */
export function createLoadedPoller(options: PollerOptions): LoadedPoller {
  return new Poller(options)
}

/** The processes present for an index, and the number of publications at that time. */
interface Audience {
  sequence: number
  urls: ReadonlySet<string>
  since: number
}

class Poller implements LoadedPoller {
  readonly #options: PollerOptions
  readonly #clock: Clock
  readonly #audiences = new Map<PublishedKind, Audience>()
  /** Number of publications; an answer belongs to the publications made before the process was asked. */
  #publications = 0
  readonly #answeredAsOf = new Map<string, number>()
  /** Requests in a row that a process did not answer; a process that answers something else is present. */
  readonly #missed = new Map<string, number>()
  #connections: PollerConnections | undefined
  #processes: readonly ApiProcess[]
  #starting: readonly Reader[] = []
  #cancel: Cancel | undefined
  #round: Promise<void> | undefined
  #hurriedAt = 0
  #isStopped = false

  constructor(options: PollerOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#processes = []
  }

  processes(): readonly ApiProcess[] {
    return this.#processes
  }

  readers(): readonly Reader[] {
    return [...this.#processes.map(({ loaded }) => loaded), ...this.#starting]
  }

  audience(kind: PublishedKind): readonly ApiProcess[] {
    const { urls, since } = this.#audiences.get(kind) ?? { urls: new Set(), since: 0 }
    const left = this.#processes.filter(({ url }) => urls.has(url))
    return (left.length > 0 ? left : this.#processes).map(({ loaded, ...process }) =>
      // What a process served before says nothing about now: it may have restarted since.
      loaded && this.#hasAnsweredSince(process.url, since) ? { ...process, loaded } : process,
    )
  }

  #hasAnsweredSince(url: string, since: number): boolean {
    return (this.#answeredAsOf.get(url) ?? 0) >= since
  }

  start(connections: PollerConnections): void {
    this.#connections = connections
    this.#processes = this.#present()
    this.hurry()
  }

  published(kind: PublishedKind, { sequence }: { sequence: number }): void {
    if (this.#audiences.get(kind)?.sequence === sequence) return
    this.#processes = this.#present()
    this.#publications += 1
    const urls = new Set(this.#processes.map(({ url }) => url))
    this.#audiences.set(kind, { sequence, urls, since: this.#publications })
    this.hurry()
  }

  hurry(): void {
    this.#hurriedAt = this.#clock.elapsed()
    this.#next(0)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    await this.#round
  }

  #next(ms: number): void {
    if (this.#isStopped || !this.#connections) return
    this.#cancel?.()
    this.#cancel = this.#clock.after(ms, () => {
      this.#round ??= this.#askAll().finally(() => {
        this.#round = undefined
        this.#next(this.#pause())
      })
    })
  }

  #pause(): number {
    const { oftenMs = 250, rarelyMs = 10_000 } = this.#options
    const isAwaited = this.#starting.length > 0 || this.#connections?.isAwaited()
    const isNew = isAwaited || this.#processes.some((process) => !this.#isCurrent(process))
    return isNew && this.#clock.elapsed() - this.#hurriedAt < HURRIED_MS ? oftenMs : rarelyMs
  }

  /** The current processes, each with its last answer. */
  #present(): ApiProcess[] {
    const known = new Map(this.#processes.map((process) => [process.url, process]))
    return this.#options.urls().map((url) => known.get(url) ?? { url, servesRates: true, late: 0 })
  }

  async #askAll(): Promise<void> {
    const asked = this.#present()
    const since = this.#publications
    const hasAnswered = ({ url }: ApiProcess) => this.#hasAnsweredSince(url, since)
    const silent = asked.filter((process) => !hasAnswered(process))
    const starting = this.#askStarting()
    const answered = await Promise.all(asked.map((process) => this.#askOne(process)))
    // The first answer after a publication counts as a change even when it is the same as before.
    const before = this.#starting
    this.#starting = await starting
    const isSame =
      isDeepStrictEqual(this.#starting, before) &&
      !silent.some(hasAnswered) &&
      answered.length === this.#processes.length &&
      answered.every((process, at) => saysTheSame(process, this.#processes[at]))
    this.#processes = answered
    for (const known of [this.#answeredAsOf, this.#missed])
      for (const url of known.keys()) if (!answered.some((process) => process.url === url)) known.delete(url)
    if (!isSame) this.#connections?.onChange()
  }

  #askStarting(): Promise<Reader[]> {
    const urls = this.#options.startingUrls?.() ?? []
    return Promise.all(
      urls.map(async (url) => {
        const loaded = await this.#options.ask(url).catch(() => undefined)
        return loaded && { formatVersions: loaded.formatVersions }
      }),
    )
  }

  #isCurrent(process: ApiProcess): boolean {
    return this.#connections?.isCurrent(process) ?? false
  }

  async #askOne(process: ApiProcess): Promise<ApiProcess> {
    const { url, servesRates, late } = process
    const asOf = this.#publications
    try {
      const loaded = await this.#options.ask(url)
      this.#answeredAsOf.set(url, asOf)
      this.#missed.delete(url)
      const now = { url, loaded, servesRates: loaded.parts?.includes('rates') ?? true }
      return { ...now, late: this.#isCurrent({ ...now, late }) ? 0 : late + 1 }
    } catch {
      const missed = (this.#missed.get(url) ?? 0) + 1
      this.#missed.set(url, missed)
      // A process that is away for a moment keeps its kind.
      const known = missed < BEHIND_AFTER ? process : { url, servesRates }
      return { ...known, late: late + 1 }
    }
  }
}

/**
 * Whether the parts that others depend on are unchanged; `late` grows with every round and matters only when it reaches
 * the limit.
 */
function saysTheSame(now: ApiProcess, before: ApiProcess | undefined): boolean {
  if (!before || now.url !== before.url || isBehind(now) !== isBehind(before)) return false
  return now.loaded === before.loaded || isDeepStrictEqual(now.loaded, before.loaded)
}
