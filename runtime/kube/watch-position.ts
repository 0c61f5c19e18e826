import type { KubernetesObject } from '@kubernetes/client-node'
import { isEarlier } from './resource-version.ts'
import type { WatchEvent } from './watch-stream.ts'

/** Proof that a server knows less than this process: etcd was restored from a backup. */
export interface SetBack {
  known: string
  server: string
}

/** Thrown when a stream delivers a version before the one from which it was resumed. */
export class SetBackError extends Error {
  override name = 'SetBackError'
}

/** The version up to which a watch knows its collection, and whether the server was ever found to know less. */
export class WatchPosition {
  /** Version from which the stream continues; empty before the first list. */
  resourceVersion = ''
  /** Kept until the caller forgets it, because a list from the restored server lowers the version. */
  setBack: SetBack | undefined

  /**
   * Whether a server that answered with this version knows less than this process; the first such answer is kept in
   * `setBack`.
   */
  noteSetBack(server: string): boolean {
    const { resourceVersion: known } = this
    if (server === '' || !isEarlier(server, known)) return false
    this.setBack ??= { known, server }
    return true
  }

  /** Advances to the version of an event. A bookmark before the current version throws and changes nothing. */
  told<T extends KubernetesObject>({ type, object }: WatchEvent<T>): void {
    const { resourceVersion: known } = this
    const version = object.metadata?.resourceVersion ?? known
    if (type === 'BOOKMARK' && isEarlier(version, known)) throw new SetBackError(`version ${version} arrived after ${known}`)
    this.resourceVersion = version
  }

  /** Sets the version to that of a complete list, whether newer or older. */
  listed(version: string): void {
    this.noteSetBack(version)
    this.resourceVersion = version
  }
}
