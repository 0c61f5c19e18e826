import type { KubeConfig, KubernetesListObject, KubernetesObject } from '@kubernetes/client-node'
import { isNotFound } from './api-error.ts'
import { applyObject, deleteObject, type ApplyOptions, type Preconditions } from './apply.ts'
import { replaceStatus, type WithNewStatus } from './replace-status.ts'
import { requestKube, type KubeRequest } from './request.ts'
import { collectionPathOf, pathOf, type Collection, type ObjectReference } from './resource-path.ts'
import { watchEvents, type StreamOptions, type WatchEvent } from './watch-stream.ts'

/** One page of a list. */
export interface PageOptions extends Collection {
  /** Number of objects in the page. */
  limit: number
  /** The continue token of the previous page; absent for the first page. */
  continue?: string
  signal?: AbortSignal
  /** Milliseconds for the whole exchange. Default 30,000. */
  timeoutMs?: number
}

export interface SendOptions {
  /** Milliseconds for the whole exchange. Default 30,000. */
  timeoutMs?: number
}

export interface ReadOptions extends SendOptions {
  signal?: AbortSignal
}

export interface WriteOptions extends SendOptions {
  fieldManager?: string
}

/** An object to create; when only `generateName` is given, the server makes the name. */
export type NewObject = Pick<ObjectReference, 'apiVersion' | 'kind'> & {
  metadata: { name?: string; generateName?: string; namespace: string }
}

/**
 * The verbs of kube-apiserver that the programs use. An implementation talks to a cluster or to a model of one. Every
 * verb throws KubeApiError when the server refuses.
 */
export interface Kube {
  /** The stored object, or undefined when it does not exist. */
  get<T extends KubernetesObject>(reference: ObjectReference, options?: ReadOptions): Promise<T | undefined>
  /** Creates an object and returns the stored one; 409 when the name is taken. */
  create<T extends KubernetesObject>(object: NewObject, options?: WriteOptions): Promise<T>
  /** Replaces the whole object; 409 unless `metadata.resourceVersion` is the stored one. */
  replace<T extends KubernetesObject>(object: ObjectReference, options?: WriteOptions): Promise<T>
  /** Server-side apply; uid and resourceVersion in the metadata are preconditions. */
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<T>
  /** Merges into the metadata only; uid and resourceVersion in it are preconditions. */
  patchMetadata<T extends KubernetesObject>(
    reference: ObjectReference,
    metadata: object,
    options?: WriteOptions,
  ): Promise<T>
  /** Replaces the status of exactly the given version; 409 when the object has changed. */
  replaceStatus(object: WithNewStatus, fieldManager: string): Promise<KubernetesObject>
  /** Deletes an object; returns whether it existed; 409 when a precondition does not hold. */
  delete(reference: ObjectReference, preconditions?: Preconditions, options?: SendOptions): Promise<boolean>
  /** One page of a list: of the present state, unless it continues a list; 410 when that list is too old. */
  page<T extends KubernetesObject>(options: PageOptions): Promise<KubernetesListObject<T>>
  /** The events after `resourceVersion`, until the server ends the stream; 410 when that version is too old. */
  watch<T extends KubernetesObject>(options: StreamOptions): AsyncGenerator<WatchEvent<T>>
}

/** Media type of a list of objects without their content. */
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/** The cluster that a KubeConfig names. */
export function kubeOf(kubeConfig: KubeConfig): Kube {
  const send =
    (method: 'POST' | 'PUT' | 'PATCH', pathTo: typeof pathOf, contentType?: string) =>
    async <T>(reference: ObjectReference, { timeoutMs, fieldManager }: WriteOptions, body: object): Promise<T> => {
      const path = await pathTo(kubeConfig, reference)
      return requestKube<T>(kubeConfig, {
        method,
        path,
        query: { fieldManager },
        body,
        ...(contentType && { contentType }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      })
    }
  const create = send('POST', collectionPathOf)
  const replace = send('PUT', pathOf)
  const merge = send('PATCH', pathOf, 'application/merge-patch+json')
  return {
    get: async (reference, options = {}) => {
      const path = await pathOf(kubeConfig, reference)
      return requestKube<never>(kubeConfig, { path, ...options }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined
        throw error
      })
    },
    create: (object, options = {}) => create(object as ObjectReference, options, object),
    replace: (object, options = {}) => replace(object, options, object),
    apply: (object, options) => applyObject(kubeConfig, object, options),
    patchMetadata: (reference, metadata, options = {}) => merge(reference, options, { metadata }),
    replaceStatus: (object, fieldManager) => replaceStatus(kubeConfig, object, fieldManager),
    delete: (...about) => deleteObject(kubeConfig, ...about),
    page: (options) => requestKube(kubeConfig, pageRequest(options)),
    watch: (options) => watchEvents(kubeConfig, options),
  }
}

function pageRequest({ path, signal, timeoutMs, metadataOnly = false, ...query }: PageOptions): KubeRequest {
  const accept = metadataOnly && { accept: METADATA_LIST }
  return { path, query, ...accept, ...(signal && { signal }), ...(timeoutMs && { timeoutMs }) }
}
