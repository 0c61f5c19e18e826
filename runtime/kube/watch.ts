import type { KubernetesObject } from '@kubernetes/client-node'
import type { Registry } from 'prom-client'
import { backoff } from '../backoff.ts'
import { systemClock, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { isGone, KubeApiError } from './api-error.ts'
import type { Kube } from './kube.ts'
import { listAll } from './list.ts'
import type { Collection } from './resource-path.ts'
import { missedBefore, WatchCache, type Change } from './watch-cache.ts'
import { watchMetrics, type WatchMetrics } from './watch-metrics.ts'
import type { WatchEvent } from './watch-stream.ts'

export interface WatchOptions<T> extends Collection {
  kube: Kube
  log: Logger
  /** Told of each change in order; `object` is absent when it is deleted. What it throws is logged. */
  onChange: (key: string, object: T | undefined) => void
  /** Told once, after the first complete list. */
  onSynced?: () => void
  /** Milliseconds between complete lists that look for what the stream missed. Default 600,000. */
  relistMs?: number
  /** Milliseconds of silence after which a connection counts as dead. Default 150,000: two bookmarks missed. */
  inactivityMs?: number
  /** Objects in one page of a list. Default 500. */
  pageSize?: number
  registry?: Registry
  clock?: Clock
  random?: () => number
}

export interface RunningWatch<T> {
  /** By `namespace/name`, as last seen, without managedFields. */
  readonly objects: ReadonlyMap<string, T>
  readonly synced: Promise<void>
  /** How far the objects are known: the version of the last list, event or bookmark; empty before the first list. */
  resourceVersion(): string
  /** Whether it is synced and has an open stream, or lost it less than 30 seconds ago. */
  healthy(): boolean
  stop(): Promise<void>
}

const GRACE_MS = 30_000
/** An end sooner than this, without an event, counts as a failure: a server that closes at once is not to be hammered. */
const SHORT_STREAM_MS = 1_000
const RETRY = { baseMs: 100, capMs: 10_000 }

/**
 * Lists a collection and follows it until it is stopped: it resumes from the last resourceVersion after any error, with
 * back-off, and lists again when that has become too old (410) or `relistMs` have passed.
 */
export function startWatch<T extends KubernetesObject>(options: WatchOptions<T>): RunningWatch<T> {
  const loop = new WatchLoop(options)
  const ended = loop.run()
  return {
    objects: loop.cache.objects,
    synced: loop.synced.promise,
    resourceVersion: () => loop.resourceVersion,
    healthy: () => loop.healthy(),
    stop: async () => {
      loop.abort.abort()
      await ended
    },
  }
}

class WatchLoop<T extends KubernetesObject> {
  readonly cache = new WatchCache<T>()
  readonly synced = Promise.withResolvers<void>()
  readonly abort = new AbortController()
  private readonly options: WatchOptions<T>
  private readonly metrics: WatchMetrics
  private readonly log: Logger
  private readonly clock: Clock
  private readonly random: () => number
  /** Where the stream goes on; empty before the first list. */
  resourceVersion = ''
  /** Whether that version has become too old to go on from. */
  private isExpired = false
  private isSynced = false
  private isOpen = false
  private lastContact = 0
  private relistAt = 0
  private failures = 0

  constructor(options: WatchOptions<T>) {
    this.options = options
    this.metrics = watchMetrics(options.registry, options.path)
    this.log = options.log.child({ watch: options.path })
    this.clock = options.clock ?? systemClock
    this.random = options.random ?? Math.random
  }

  healthy(): boolean {
    return this.isSynced && (this.isOpen || this.clock.elapsed() - this.lastContact < GRACE_MS)
  }

  async run(): Promise<void> {
    while (!this.abort.signal.aborted) {
      try {
        if (this.resourceVersion === '' || this.isExpired || this.clock.elapsed() >= this.relistAt) await this.list()
        await this.follow()
      } catch (error) {
        if (!this.abort.signal.aborted) await this.recover(error)
      } finally {
        this.isOpen = false
      }
    }
  }

  private async list(): Promise<void> {
    const { kube, pageSize = 500 } = this.options
    const page = { ...this.collection(), limit: pageSize, signal: this.abort.signal }
    const { items, resourceVersion } = await listAll<T>(kube, page)
    const changes = this.cache.replace(items)
    // After a 410 differences are no surprise; on a relist by the clock they should have come as events.
    if (this.resourceVersion !== '' && !this.isExpired) this.countMissed(missedBefore(changes, this.resourceVersion))
    this.resourceVersion = resourceVersion
    this.isExpired = false
    this.relistAt = this.clock.elapsed() + (this.options.relistMs ?? 600_000)
    this.heard()
    for (const change of changes) this.tell(change)
    if (this.isSynced) return
    this.isSynced = true
    this.guard('onSynced', () => this.options.onSynced?.())
    this.synced.resolve()
  }

  private countMissed(missed: Change<T>[]): void {
    if (missed.length === 0) return
    this.metrics.missed(missed.length)
    const keys = missed.slice(0, 10).map(({ key }) => key)
    this.log.warn({ keys, count: missed.length }, 'changes that the stream did not tell')
  }

  private async follow(): Promise<void> {
    const { kube, inactivityMs = 150_000 } = this.options
    const startedAt = this.clock.elapsed()
    // Ends no later than the next list is due; jitter, so that many processes do not reconnect in step.
    const seconds = Math.min(240 + this.random() * 60, (this.relistAt - startedAt) / 1000)
    let events = 0
    const stream = kube.watch<T>({
      ...this.collection(),
      ...{ inactivityMs, resourceVersion: this.resourceVersion, signal: this.abort.signal },
      timeoutSeconds: Math.max(1, Math.ceil(seconds)),
      onOpen: () => {
        this.isOpen = true
        this.heard()
      },
    })
    for await (const event of stream) {
      events += 1
      this.take(event)
    }
    if (events === 0 && this.clock.elapsed() - startedAt < SHORT_STREAM_MS)
      throw new Error('The watch was closed at once')
    this.failures = 0
  }

  private collection(): Collection {
    const { path, labelSelector, fieldSelector } = this.options
    return { path, ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) }
  }

  private take(event: WatchEvent<T>): void {
    this.failures = 0
    this.metrics.event(event.type)
    this.resourceVersion = event.object.metadata?.resourceVersion ?? this.resourceVersion
    const change = event.type === 'DELETED' ? this.cache.remove(event.object) : this.put(event)
    this.heard()
    if (change) this.tell(change)
  }

  private put({ type, object }: WatchEvent<T>): Change<T> | undefined {
    return type === 'ADDED' || type === 'MODIFIED' ? this.cache.put(object) : undefined
  }

  private async recover(error: unknown): Promise<void> {
    const reason = error instanceof KubeApiError ? String(error.status) : ((error as Error).name ?? 'Error')
    this.metrics.failed(reason)
    if (isGone(error)) this.isExpired = true
    const asked = error instanceof KubeApiError ? (error.retryAfterMs ?? 0) : 0
    const waitMs = Math.max(asked, backoff(this.failures, { ...RETRY, random: this.random }))
    this.failures += 1
    this.log.warn({ err: error, waitMs, attempt: this.failures }, 'the watch broke off; trying again')
    await this.clock.sleep(waitMs, this.abort.signal)
  }

  private heard(): void {
    this.lastContact = this.clock.elapsed()
    this.metrics.seen(this.cache.objects.size, this.clock.now().getTime() / 1000)
  }

  private tell({ key, object }: Change<T>): void {
    this.guard(key, () => this.options.onChange(key, object))
  }

  /** What a handler throws, at once or later, is not to end the watch, nor as an unhandled rejection the process. */
  private guard(what: string, handler: () => unknown): void {
    const failed = (error: unknown) => this.log.error({ err: error, what }, 'a handler of the watch failed')
    try {
      const outcome = handler()
      if (outcome instanceof Promise) outcome.catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}
