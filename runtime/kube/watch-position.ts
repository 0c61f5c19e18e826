import type { KubernetesObject } from '@kubernetes/client-node'
import { isEarlier } from './resource-version.ts'
import type { WatchEvent } from './watch-stream.ts'

/** A server that knows less than was known here: etcd was restored from a backup. */
export interface SetBack {
  known: string
  server: string
}

/** The stream tells a version before the one that it was resumed from. */
export class SetBackError extends Error {
  override name = 'SetBackError'
}

/** How far a watch knows its collection, and whether the server was ever found to know less. */
export class WatchPosition {
  /** Where the stream goes on; empty before the first list. */
  resourceVersion = ''
  /** Kept until somebody has taken note: a list from the server that was set back lowers the version. */
  setBack: SetBack | undefined

  /** Whether a server that answered with this version knows less than is known here; the first such answer is kept in `setBack`. */
  noteSetBack(server: string): boolean {
    const { resourceVersion: known } = this
    if (server === '' || !isEarlier(server, known)) return false
    this.setBack ??= { known, server }
    return true
  }

  /** Goes on to the version of an event; a bookmark from before the present version is refused, and nothing changes. */
  told<T extends KubernetesObject>({ type, object }: WatchEvent<T>): void {
    const { resourceVersion: known } = this
    const version = object.metadata?.resourceVersion ?? known
    if (type === 'BOOKMARK' && isEarlier(version, known)) throw new SetBackError(`version ${version} arrived after ${known}`)
    this.resourceVersion = version
  }

  /** Goes on to the version of a complete list, whichever it is. */
  listed(version: string): void {
    this.noteSetBack(version)
    this.resourceVersion = version
  }
}
