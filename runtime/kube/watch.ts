import type { KubernetesObject } from '@kubernetes/client-node'
import { WatchLoop } from './watch-loop.ts'
import type { WatchOptions } from './watch-options.ts'
import type { SetBack } from './watch-position.ts'

export type { WatchOptions }

export interface RunningWatch<T> {
  /** By `namespace/name`, as last seen, without managedFields. */
  readonly objects: ReadonlyMap<string, T>
  readonly synced: Promise<void>
  /** How far the objects are known: the version of the last list, event or bookmark; empty before the first list. */
  resourceVersion(): string
  /** The first time since `forgetSetBack` that the server knew less than was known here: etcd was restored from a backup. */
  setBack(): SetBack | undefined
  forgetSetBack(): void
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
 * back-off, and lists again when that has become too old (410), the server knows less than that, the stream is found to
 * be behind, or `relistMs` have passed.
 */
export function startWatch<T extends KubernetesObject>(options: WatchOptions<T>): RunningWatch<T> {
  const loop = new WatchLoop(options)
  const ended = loop.run()
  return {
    objects: loop.cache.objects,
    synced: loop.synced.promise,
    resourceVersion: () => loop.position.resourceVersion,
    setBack: () => loop.position.setBack,
    forgetSetBack: () => void (loop.position.setBack = undefined),
    healthy: () => loop.healthy(),
    lastContact: () => loop.lastContact,
    relist: () => loop.relist(),
    stop: async () => {
      loop.abort.abort()
      await ended
    },
  }
}
