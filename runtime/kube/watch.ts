import type { KubernetesObject } from '@kubernetes/client-node'
import { WatchLoop } from './watch-loop.ts'
import type { WatchOptions } from './watch-options.ts'
import type { SetBack } from './watch-position.ts'

export type { WatchOptions }

export interface RunningWatch<T> {
  /** The objects as last received, by `namespace/name`, without managedFields. */
  readonly objects: ReadonlyMap<string, T>
  readonly synced: Promise<void>
  /**
   * The version up to which the objects are known: that of the last list, event or bookmark; empty before the first
   * list.
   */
  resourceVersion(): string
  /**
   * The first time since `forgetSetBack` that the server knew less than this process: etcd was restored from a backup.
   */
  setBack(): SetBack | undefined
  forgetSetBack(): void
  /** Whether the watch is synced and has an open stream, or lost it less than 30 seconds ago. */
  healthy(): boolean
  /** Time of the server's last answer for this collection: a list, an event, a bookmark or a probe. */
  lastContact(): Date | undefined
  /**
   * Lists the whole collection again and reports every object, even if its version is known: after a restore of etcd,
   * one resourceVersion may belong to two contents. Settles when that is done or the watch is stopped.
   */
  relist(): Promise<void>
  stop(): Promise<void>
}

/**
 * Lists a collection and follows it until it is stopped. After any error it resumes from the last resourceVersion with
 * back-off. It lists again when that version is too old (410), when the server knows less, when the stream is behind,
 * or when `relistMs` have passed.
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
