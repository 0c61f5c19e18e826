import { isDeepStrictEqual } from 'node:util'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { transitions, type Condition } from './conditions.ts'
import type { Announce, Regarding } from './events.ts'
import { FIELD_MANAGER } from '../publish/apply.ts'

interface WithStatus<S> extends Regarding {
  metadata: Regarding['metadata'] & { resourceVersion: string }
  status?: S
}

interface Written<S> {
  uid: string
  resourceVersion: string
  status: S
}

/** Whether an event tells of a transition; `isFirst` where the object had no status. */
export type IsTold = (condition: Condition, isFirst: boolean) => boolean

/** What an object begins with is one event: the rest of its first status says how that came about. */
const toldOnce: IsTold = ({ type }, isFirst) => !isFirst || type === 'Ready'

/** Writes statuses of one kind, and remembers each until the cache has it: that may be behind our own last write. */
export class StatusWriter<S extends { conditions: Condition[] }> {
  readonly #kube: Kube
  readonly #announce: Announce
  readonly #written = new Map<string, Written<S>>()

  constructor(kube: Kube, announce: Announce) {
    this.#kube = kube
    this.#announce = announce
  }

  /** The status that is stored, as far as is known. */
  current(object: WithStatus<S>): S | undefined {
    return this.#ahead(object)?.status ?? object.status
  }

  /** Writes the status when it differs from the present one, and an event for each transition that is told. */
  async write(object: WithStatus<S>, status: S, isTold: IsTold = toldOnce): Promise<void> {
    const ahead = this.#ahead(object)
    const previous = ahead?.status ?? object.status
    if (isDeepStrictEqual(previous, status)) return
    if (!(await this.#replace(object, ahead?.resourceVersion ?? object.metadata.resourceVersion, status))) return
    const told = transitions(previous?.conditions ?? [], status.conditions)
    await this.#announce(
      object,
      told.filter((condition) => isTold(condition, previous === undefined)),
    )
  }

  forget(name: string): void {
    this.#written.delete(name)
  }

  /** What was written to this object since the version that the cache has. */
  #ahead({ metadata }: WithStatus<S>): Written<S> | undefined {
    const written = this.#written.get(metadata.name)
    if (!written) return undefined
    if (written.uid === metadata.uid && BigInt(written.resourceVersion) > BigInt(metadata.resourceVersion))
      return written
    this.#written.delete(metadata.name)
    return undefined
  }

  async #replace(object: WithStatus<S>, resourceVersion: string, status: S): Promise<boolean> {
    const { apiVersion, kind, metadata } = object
    const { name, uid } = metadata
    try {
      // All of the metadata: a label or an annotation that is left out stays, but nobody owns it any more, and the next
      // server-side apply without it would not take it away.
      const body = { apiVersion, kind, metadata: { ...metadata, resourceVersion }, status }
      const stored = await this.#kube.replaceStatus(body, FIELD_MANAGER)
      const version = stored.metadata?.resourceVersion ?? resourceVersion
      this.#written.set(name, { uid, resourceVersion: version, status })
      return true
    } catch (error) {
      // The change that was in the way comes by the watch, and with it the object's turn again.
      if (isNotFound(error) || isConflict(error)) return false
      throw error
    }
  }
}
