import { isDeepStrictEqual } from 'node:util'
import type { KubeConfig } from '@kubernetes/client-node'
import { isNotFound } from '#runtime/kube/api-error.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { transitions, type Condition } from './conditions.ts'
import type { Announce, Regarding } from './events.ts'
import { FIELD_MANAGER } from './publish/apply.ts'

interface WithStatus<S> extends Regarding {
  metadata: Regarding['metadata'] & { resourceVersion: string }
  status?: S
}

/** Writes statuses of one kind, and remembers them: the cache may be behind our own last write. */
export class StatusWriter<S extends { conditions: Condition[] }> {
  readonly #kubeConfig: KubeConfig
  readonly #announce: Announce
  readonly #written = new Map<string, { uid: string; resourceVersion: bigint; status: S }>()

  constructor(kubeConfig: KubeConfig, announce: Announce) {
    this.#kubeConfig = kubeConfig
    this.#announce = announce
  }

  /** The status that is stored, as far as is known. */
  current({ metadata, status }: WithStatus<S>): S | undefined {
    const written = this.#written.get(metadata.name)
    if (written?.uid !== metadata.uid || written.resourceVersion < BigInt(metadata.resourceVersion)) return status
    return written.status
  }

  /** Writes the status when it differs from the present one, and an event for each transition. */
  async write(object: WithStatus<S>, status: S, isTold: (condition: Condition) => boolean = () => true): Promise<void> {
    const previous = this.current(object)
    if (isDeepStrictEqual(previous, status)) return
    const { apiVersion, kind, metadata } = object
    const { name, namespace, uid } = metadata
    try {
      // The uid keeps a status from making a deleted object anew, or from reaching another one of its name.
      const body = { apiVersion, kind, metadata: { name, namespace, uid }, status }
      const options = { fieldManager: FIELD_MANAGER, force: true, subresource: 'status' as const }
      const stored = await applyObject(this.#kubeConfig, body, options)
      const resourceVersion = BigInt((stored.metadata as { resourceVersion?: string }).resourceVersion ?? 0)
      this.#written.set(name, { uid, resourceVersion, status })
    } catch (error) {
      if (isNotFound(error)) return
      throw error
    }
    await this.#announce(object, transitions(previous?.conditions ?? [], status.conditions).filter(isTold))
  }

  forget(name: string): void {
    this.#written.delete(name)
  }
}
