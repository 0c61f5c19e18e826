import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { ObjectReference } from '#runtime/kube/resource-path.ts'
import type { WithNewStatus } from '#runtime/kube/replace-status.ts'
import type { WatchEvent } from '#runtime/kube/watch-stream.ts'

/** What the corpus is run against. */
export interface Subject {
  kube: Kube
  /** Makes the server forget the versions before the present, where it does not by itself. */
  forget(): Promise<void>
}

let runs = 0

/** Names of one run of the corpus, so that two runs against one server do not meet. */
export class Names {
  readonly run = `r${(runs += 1)}`
  readonly path = '/api/v1/namespaces/default/configmaps'

  of(name: string): string {
    return `${this.run}-${name}`
  }

  reference(name: string, like: Pick<KubernetesObject, 'apiVersion' | 'kind'> = {}): ObjectReference {
    const { apiVersion = 'v1', kind = 'ConfigMap' } = like
    return { apiVersion, kind, metadata: { name: this.of(name), namespace: 'default' } }
  }

  configMap(name: string, data: Record<string, string>, metadata: object = {}) {
    const reference = this.reference(name)
    const object = { ...reference, metadata: { ...reference.metadata, ...metadata }, data }
    return object as V1ConfigMap & ObjectReference & { metadata: { namespace: string } }
  }

  client(name: string, spec: object = {}, metadata: object = {}) {
    const whole = { displayName: 'Northside', showroomCodes: ['SYD01'], grants: ['pricing:quote'], ...spec }
    return {
      ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
      metadata: { name: this.of(name), namespace: 'default', ...metadata },
      spec: { credentials: [{ secretRef: { name: 'any' } }], ...whole },
    }
  }

  status(observedGeneration: number) {
    return { status: { observedGeneration, conditions: [] } }
  }

  withStatus(object: KubernetesObject, observedGeneration: number): WithNewStatus {
    return { ...object, ...this.status(observedGeneration) } as unknown as WithNewStatus
  }

  /** Follows ConfigMaps until as many events as wanted have come; nothing else is taken. */
  watch(kube: Kube, selection: { labelSelector?: string; fieldSelector?: string; resourceVersion: string }) {
    const stop = new AbortController()
    const opened = Promise.withResolvers<void>()
    const options = { timeoutSeconds: 10, signal: stop.signal, onOpen: () => opened.resolve() }
    const stream = kube.watch<V1ConfigMap>({ path: this.path, ...selection, ...options })
    return {
      take: async (count: number) => {
        const events: WatchEvent<V1ConfigMap>[] = []
        for await (const event of stream) {
          if (event.type !== 'BOOKMARK') events.push(event)
          if (events.length >= count) break
        }
        stop.abort()
        return events
      },
    }
  }
}

/** The status by which the server refused; throws when it did not refuse. */
export async function refusedBy(attempt: Promise<unknown>): Promise<number> {
  const outcome = await attempt.catch((error: unknown) => error)
  if (!(outcome instanceof KubeApiError)) throw new Error(`not refused: ${JSON.stringify(outcome)?.slice(0, 200)}`)
  return outcome.status
}

export const version = (object: KubernetesObject | undefined) => object?.metadata?.resourceVersion ?? ''
