import type { KubernetesObject } from '@kubernetes/client-node'
import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Kube } from './kube.ts'
import type { Collection } from './resource-path.ts'
import { WatchLoop } from './watch-loop.ts'

export interface WatchOptions<T> extends Collection {
  kube: Kube
  log: Logger
  /** Told of each change in order; `object` is absent when it is deleted. What it throws is logged. */
  onChange: (key: string, object: T | undefined) => void
  /** Told once, after the first complete list. */
  onSynced?: () => void
  /** Milliseconds at most between complete lists that look for what the stream missed. Default 600,000. */
  relistMs?: number
  /** Milliseconds of silence after which the server is asked what is new. Default 75,000: bookmarks come each minute. */
  silentMs?: number
  /** Milliseconds that an event may take after the answer to that. Default 2,000. */
  graceMs?: number
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
  /** When the server last answered for this collection: a list, an event, a bookmark or a probe. */
  lastContact(): Date | undefined
  /**
   * Lists the whole collection anew and tells every object of it, whatever version of it is known: after a restore of
   * etcd, one resourceVersion may stand for two contents. Settles when that is done, or the watch is stopped.
   */
  relist(): Promise<void>
  stop(): Promise<void>
}

/**
 * Lists a collection and follows it until it is stopped: it resumes from the last resourceVersion after any error, with
 * back-off, and lists again when that has become too old (410), the stream is found to be behind, or `relistMs` have
 * passed.
 */
export function startWatch<T extends KubernetesObject>(options: WatchOptions<T>): RunningWatch<T> {
  const loop = new WatchLoop(options)
  const ended = loop.run()
  return {
    objects: loop.cache.objects,
    synced: loop.synced.promise,
    resourceVersion: () => loop.resourceVersion,
    healthy: () => loop.healthy(),
    lastContact: () => loop.lastContact,
    relist: () => loop.relist(),
    stop: async () => {
      loop.abort.abort()
      await ended
    },
  }
}
