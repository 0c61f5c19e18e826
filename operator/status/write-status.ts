import { isDeepStrictEqual } from 'node:util'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { FIELD_MANAGER } from '../cluster/cluster.ts'
import { toldTransitions, type Condition, type Told } from './conditions.ts'
import type { Announce, Regarding } from './events.ts'

interface WithStatus<S> extends Regarding {
  metadata: Regarding['metadata'] & { resourceVersion: string }
  status?: S
}

/** What was written to an object that the cache does not have yet. */
interface Written<S> {
  uid: string
  /** The versions that were written over: while the cache has one of these, it is behind. */
  over: ReadonlySet<string>
  resourceVersion: string
  status: S
}

export interface StatusWriterOptions {
  kube: Kube
  announce: Announce
  /** Settles when the next write may begin. */
  turn: () => Promise<void>
}

/** Writes statuses of one kind, and remembers each until the cache has it: that may be behind our own last write. */
export class StatusWriter<S extends { conditions: Condition[] }> {
  readonly #options: StatusWriterOptions
  readonly #written = new Map<string, Written<S>>()

  constructor(options: StatusWriterOptions) {
    this.#options = options
  }

  /** The status that is stored, as far as is known. */
  current(object: WithStatus<S>): S | undefined {
    return this.#aheadOrForget(object)?.status ?? object.status
  }

  /** Writes the status when it differs from the present one, and the events that people are told by. */
  async write(object: WithStatus<S>, status: S, told: Told = toldTransitions): Promise<void> {
    const previous = this.current(object)
    if (isDeepStrictEqual(previous, status)) return
    await this.#options.turn()
    if (!(await this.#replace(object, status))) return
    await this.#options.announce(object, told(previous?.conditions, status.conditions))
  }

  forget(name: string): void {
    this.#written.delete(name)
  }

  /**
   * What was written to this object since the version that the cache has. A version that was neither written nor written
   * over is what somebody else made of the object since, or what a restore of etcd brought back: that one counts.
   */
  #aheadOrForget({ metadata }: WithStatus<S>): Written<S> | undefined {
    const written = this.#written.get(metadata.name)
    if (written?.uid === metadata.uid && written.over.has(metadata.resourceVersion)) return written
    this.#written.delete(metadata.name)
    return undefined
  }

  async #replace(object: WithStatus<S>, status: S): Promise<boolean> {
    const ahead = this.#aheadOrForget(object)
    const resourceVersion = ahead?.resourceVersion ?? object.metadata.resourceVersion
    try {
      await this.#put(object, { resourceVersion, status, over: ahead?.over ?? new Set() })
      return true
    } catch (error) {
      if (isConflict(error) && ahead) {
        // What was written is not there any more: the server has what the cache has, or something that the watch brings.
        this.forget(object.metadata.name)
        return this.#replace(object, status)
      }
      // The change that was in the way comes by the watch, and with it the object's turn again.
      if (isNotFound(error) || isConflict(error)) return false
      throw error
    }
  }

  async #put(object: WithStatus<S>, { resourceVersion, status, over }: Omit<Written<S>, 'uid'>): Promise<void> {
    const { apiVersion, kind, metadata } = object
    const { name, uid } = metadata
    // All of the metadata: a label or an annotation that is left out stays, but nobody owns it any more, and the next
    // server-side apply without it would not take it away.
    const body = { apiVersion, kind, metadata: { ...metadata, resourceVersion }, status }
    const stored = await this.#options.kube.replaceStatus(body, FIELD_MANAGER)
    const version = stored.metadata?.resourceVersion ?? resourceVersion
    this.#written.set(name, { uid, over: new Set([...over, resourceVersion]), resourceVersion: version, status })
  }
}
