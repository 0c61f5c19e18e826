import type { KubernetesObject } from '@kubernetes/client-node'
import { backoff } from '../backoff.ts'
import { systemClock, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { isGone, KubeApiError } from './api-error.ts'
import { guardHandler } from './guard-handler.ts'
import { listAll } from './list.ts'
import type { Collection } from './resource-path.ts'
import { collectionOf, collectionVersion, PROBE } from './collection-version.ts'
import { missedBefore, WatchCache, type CacheChange } from './watch-cache.ts'
import { reportMissed, watchMetrics, type WatchMetrics } from './watch-metrics.ts'
import { WatchPosition } from './watch-position.ts'
import { probeSilence, SilentWatchError } from './watch-silence.ts'
import type { WatchOptions } from './watch-options.ts'
import type { WatchEvent } from './watch-stream.ts'

const GRACE_MS = 30_000
/**
 * A stream that ends sooner than this without an event counts as a failure, so that a server which closes at once is
 * not flooded with requests.
 */
const SHORT_STREAM_MS = 1_000
const RETRY = { baseMs: 100, capMs: 10_000 }

class RelistAsked extends Error {
  override name = 'RelistAsked'
}

/** The loop behind `startWatch`: lists, follows, and recovers after any error, one step at a time. */
export class WatchLoop<T extends KubernetesObject> {
  readonly cache = new WatchCache<T>()
  readonly synced = Promise.withResolvers<void>()
  readonly abort = new AbortController()
  readonly #options: WatchOptions<T>
  readonly #collection: Collection
  readonly #metrics: WatchMetrics
  readonly #log: Logger
  readonly #clock: Clock
  readonly #random: () => number
  readonly position = new WatchPosition()
  lastContact: Date | undefined
  /** Whether the watch cannot continue from that version: it is too old, or its stream is behind. */
  #isExpired = false
  /** Settled by the next complete list that replaces everything, whatever its versions. */
  #asked: PromiseWithResolvers<void> | undefined
  /** Ends the current list, stream or wait. */
  #turn = new AbortController()
  #isSynced = false
  #isOpen = false
  #heardAt = 0
  #relistAt = 0
  #failures = 0

  constructor(options: WatchOptions<T>) {
    this.#options = options
    this.#collection = collectionOf(options)
    this.#metrics = watchMetrics(options.registry, options)
    this.#log = options.log.child({ watch: options.path })
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? Math.random
  }

  healthy(): boolean {
    return this.#isSynced && (this.#isOpen || this.#clock.elapsed() - this.#heardAt < GRACE_MS)
  }

  relist(): Promise<void> {
    this.#asked ??= Promise.withResolvers()
    this.#turn.abort(new RelistAsked())
    return this.#asked.promise
  }

  async run(): Promise<void> {
    while (!this.abort.signal.aborted) {
      const { signal } = (this.#turn = new AbortController())
      try {
        if (this.#mustList() || (await this.#checkSetBack())) await this.#list()
        await this.#follow()
      } catch (error) {
        if (!this.abort.signal.aborted) await this.#recover(signal.aborted ? signal.reason : error)
      } finally {
        this.#isOpen = false
      }
    }
    this.#asked?.resolve()
  }

  #mustList(): boolean {
    const isDue = this.#clock.elapsed() >= this.#relistAt
    return this.position.resourceVersion === '' || this.#isExpired || this.#asked !== undefined || isDue
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.abort.signal, this.#turn.signal])
  }

  async #list(): Promise<void> {
    const { kube, pageSize = 500, relistMs = 600_000 } = this.#options
    const asked = this.#asked
    const page = { ...this.#collection, limit: pageSize, signal: this.#signal(), keep: this.cache.known }
    const { items, resourceVersion } = await listAll<T>(kube, page)
    const changes = asked ? this.cache.replace(items, () => false) : this.cache.replace(items)
    // Differences are expected after a 410; on a periodic relist, they should have arrived as events.
    const known = this.position.resourceVersion
    const isByClock = known !== '' && !this.#isExpired && !asked
    if (isByClock) reportMissed(missedBefore(changes, known), this.#metrics, this.#log)
    this.position.listed(resourceVersion)
    this.#isExpired = false
    // Jitter, so that processes that started together do not keep listing together.
    this.#relistAt = this.#clock.elapsed() + relistMs * (1 - 0.2 * this.#random())
    this.#heard()
    for (const change of changes) this.#tell(change)
    if (asked) this.#answer(asked)
    if (!this.#isSynced) this.#becomeSynced()
  }

  #answer(asked: PromiseWithResolvers<void>): void {
    if (this.#asked === asked) this.#asked = undefined
    asked.resolve()
  }

  #becomeSynced(): void {
    this.#isSynced = true
    guardHandler(this.#log, 'onSynced', () => this.#options.onSynced?.())
    this.synced.resolve()
  }

  async #follow(): Promise<void> {
    const startedAt = this.#clock.elapsed()
    const isShort = () => this.#clock.elapsed() - startedAt < SHORT_STREAM_MS
    // The stream ends no later than the next list is due; with jitter, so that many processes do not reconnect in step.
    const seconds = Math.min(240 + this.#random() * 60, (this.#relistAt - startedAt) / 1000)
    let events = 0
    const stream = this.#options.kube.watch<T>({
      ...this.#collection,
      resourceVersion: this.position.resourceVersion,
      signal: this.#signal(),
      timeoutSeconds: Math.max(1, Math.ceil(seconds)),
      onOpen: () => {
        this.#isOpen = true
        this.#heard()
      },
    })
    const stopProbing = this.#probeSilence()
    try {
      for await (const event of stream) {
        events += 1
        this.#take(event)
      }
    } finally {
      stopProbing()
      // However it ends: a proxy may cut each stream that was silent for a while.
      if (this.#isOpen && !isShort()) this.#failures = 0
    }
    if (events === 0 && isShort()) throw new Error('The watch was closed at once')
  }

  #probeSilence(): () => void {
    const turn = this.#turn
    return probeSilence({
      clock: this.#clock,
      silentMs: this.#options.silentMs ?? 75_000,
      graceMs: this.#options.graceMs ?? 2_000,
      heardAt: () => this.#heardAt,
      isCurrent: () => this.#isCurrent(),
      onProbe: (outcome) => this.#metrics.probed(outcome),
      onSilent: (error) => {
        if (error instanceof SilentWatchError) this.#isExpired = true
        turn.abort(error)
      },
    })
  }

  /** Whether the collection has not changed since the last message of the stream. */
  async #isCurrent(): Promise<boolean> {
    const server = await this.#versionNow()
    return server === this.position.resourceVersion
  }

  /**
   * Checks whether the server knows less than this process, and marks the cache as expired if it does. Must be called
   * before a stream is resumed: from a version that the server has yet to reach, a stream would deliver nothing until
   * then, and would never deliver what was restored below that version.
   */
  async #checkSetBack(): Promise<boolean> {
    const server = await this.#versionNow()
    if (!this.position.noteSetBack(server)) return false
    this.#log.warn(
      { ...this.position.setBack },
      'the server has older objects than were seen before; listing everything again',
    )
    this.#isExpired = true
    return true
  }

  async #versionNow(): Promise<string> {
    const version = await collectionVersion(this.#options.kube, this.#collection, { ...PROBE, signal: this.#signal() })
    this.#contacted()
    return version
  }

  #take(event: WatchEvent<T>): void {
    this.position.told(event)
    this.#failures = 0
    this.#metrics.event(event.type)
    const change = event.type === 'DELETED' ? this.cache.remove(event.object) : this.#put(event)
    this.#heard()
    if (change) this.#tell(change)
  }

  #put({ type, object }: WatchEvent<T>): CacheChange<T> | undefined {
    return type === 'ADDED' || type === 'MODIFIED' ? this.cache.put(object) : undefined
  }

  async #recover(error: unknown): Promise<void> {
    if (error instanceof RelistAsked) return
    const reason = error instanceof KubeApiError ? String(error.status) : ((error as Error).name ?? 'Error')
    this.#metrics.failed(reason)
    if (isGone(error)) this.#isExpired = true
    // A proxy may ask for hours; the server may be well again in a second, and suspensions come by this stream.
    const asked = error instanceof KubeApiError ? Math.min(error.retryAfterMs ?? 0, RETRY.capMs) : 0
    const waitMs = Math.max(asked, backoff(this.#failures, { ...RETRY, random: this.#random }))
    this.#failures += 1
    this.#log.warn({ err: error, waitMs, attempt: this.#failures }, 'the watch ended; trying again')
    // This same error may have ended the turn that failed.
    this.#turn = new AbortController()
    await this.#clock.sleep(waitMs, this.#signal())
  }

  #heard(): void {
    this.#heardAt = this.#clock.elapsed()
    this.#contacted()
  }

  #contacted(): void {
    this.lastContact = this.#clock.now()
    this.#metrics.seen(this.cache.objects.size, this.lastContact.getTime() / 1000)
  }

  #tell({ key, object }: CacheChange<T>): void {
    guardHandler(this.#log, key, () => this.#options.onChange(key, object))
  }
}
