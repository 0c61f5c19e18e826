import { isDeepStrictEqual } from 'node:util'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { FIELD_MANAGER } from '../cluster/cluster.ts'
import { toldTransitions, type Condition, type Told } from './conditions.ts'
import type { Announce, Regarding } from './events.ts'

interface WithStatus<S> extends Regarding {
  metadata: Regarding['metadata'] & { uid: string; resourceVersion: string }
  status?: S
}

/** A status that was written and is not in the cache yet. */
interface Written<S> {
  uid: string
  /**
   * The objects of the cache that the writes replaced: while the cache has one of these, it is behind. Not their versions: a restore
   * of etcd brings a version again, in an object of its own.
   */
  over: WeakSet<object>
  resourceVersion: string
  status: S
}

/** A status whose write failed, perhaps only its answer, and the transitions of which nobody was told. */
interface Unanswered<S> {
  uid: string
  status: S
  transitions: Condition[]
}

export interface StatusWriterOptions {
  kube: Kube
  announce: Announce
  /** Resolves when the next write may begin. */
  turn: () => Promise<void>
}

/**
 * Writes statuses of one kind. Keeps each status until the cache has it, because the cache may lag behind our last
 * write.
 */
export class StatusWriter<S extends { conditions: Condition[] }> {
  readonly #options: StatusWriterOptions
  readonly #written = new Map<string, Written<S>>()
  readonly #unanswered = new Map<string, Unanswered<S>>()

  constructor(options: StatusWriterOptions) {
    this.#options = options
  }

  /** The stored status, as far as is known. */
  current(object: WithStatus<S>): S | undefined {
    return this.#aheadOrForget(object)?.status ?? object.status
  }

  /** Writes the status if it differs from the stored one, then queues the events for its transitions. */
  async write(object: WithStatus<S>, status: S, told: Told = toldTransitions): Promise<void> {
    const previous = this.current(object)
    this.#tellUnanswered(object, previous)
    if (isDeepStrictEqual(previous, status)) return
    await this.#options.turn()
    const transitions = told(previous?.conditions, status.conditions)
    const isWritten = await this.#replace(object, status).catch((error: unknown) => {
      this.#unanswered.set(object.metadata.name, { uid: object.metadata.uid, status, transitions })
      throw error
    })
    if (!isWritten) return
    this.#unanswered.delete(object.metadata.name)
    void this.#options.announce(object, transitions)
  }

  forget(name: string): void {
    this.#written.delete(name)
    this.#unanswered.delete(name)
  }

  /** Queues the events of a status that is stored although its write was not answered. */
  #tellUnanswered(object: WithStatus<S>, stored: S | undefined): void {
    const { name, uid } = object.metadata
    const unanswered = this.#unanswered.get(name)
    if (!unanswered || unanswered.uid !== uid || !saysTheSame(stored, unanswered.status)) return
    this.#unanswered.delete(name)
    void this.#options.announce(object, unanswered.transitions)
  }

  /**
   * What was written to this object after the cache got it. An object that we did not replace comes from another writer or
   * from a restore of etcd, and is used as it is; one that was only listed late is behind, and a write over it conflicts.
   */
  #aheadOrForget(object: WithStatus<S>): Written<S> | undefined {
    const { metadata } = object
    const written = this.#written.get(metadata.name)
    if (written?.uid === metadata.uid && written.over.has(object)) return written
    this.#written.delete(metadata.name)
    return undefined
  }

  async #replace(object: WithStatus<S>, status: S): Promise<boolean> {
    const ahead = this.#aheadOrForget(object)
    const resourceVersion = ahead?.resourceVersion ?? object.metadata.resourceVersion
    try {
      await this.#put(object, { resourceVersion, status, over: ahead?.over ?? new WeakSet() })
      return true
    } catch (error) {
      if (isConflict(error) && ahead) {
        // Our last write is no longer stored: the server has the cached version, or one that the watch will
        // deliver.
        this.#written.delete(object.metadata.name)
        return this.#replace(object, status)
      }
      // The conflicting change arrives by the watch, and the object is reconciled again.
      if (isNotFound(error) || isConflict(error)) return false
      throw error
    }
  }

  async #put(object: WithStatus<S>, { resourceVersion, status, over }: Omit<Written<S>, 'uid'>): Promise<void> {
    const { apiVersion, kind, metadata } = object
    const { name, uid } = metadata
    // All of the metadata is sent. A label or an annotation that is left out would stay but lose its owner, and the
    // next server-side apply without it would no longer remove it.
    const body = { apiVersion, kind, metadata: { ...metadata, resourceVersion }, status }
    const stored = await this.#options.kube.replaceStatus(body, FIELD_MANAGER)
    const version = stored.metadata?.resourceVersion ?? resourceVersion
    this.#written.set(name, { uid, over: over.add(object), resourceVersion: version, status })
  }
}

/** Whether the conditions are the same but for their times: each attempt to write a status has its own. */
function saysTheSame(stored: { conditions: Condition[] } | undefined, written: { conditions: Condition[] }): boolean {
  const untimed = (conditions: readonly Condition[] = []) =>
    conditions.map((each) => ({ ...each, lastTransitionTime: '' }))
  return isDeepStrictEqual(untimed(stored?.conditions), untimed(written.conditions))
}
