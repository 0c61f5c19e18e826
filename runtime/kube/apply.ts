import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { isNotFound } from './api-error.ts'
import { withoutManagedFields } from './managed-fields.ts'
import { requestKube, type KubeRequest } from './request.ts'
import { pathOf, type ObjectReference } from './resource-path.ts'

export interface ApplyOptions {
  fieldManager: string
  /** Takes ownership of fields from other managers; without it, a conflict is an error (409). */
  force?: boolean
  subresource?: 'status'
}

/** Conditions on the stored object; when one does not hold, the server answers 409. */
export interface Preconditions {
  uid?: string
  resourceVersion?: string
}

/**
 * Server-side apply of exactly the fields of `object`; returns the stored object. metadata.resourceVersion, if present,
 * must be the stored version. Throws KubeApiError.
 */
export async function applyObject<T extends KubernetesObject>(
  kubeConfig: KubeConfig,
  object: T,
  { fieldManager, force = false, subresource }: ApplyOptions,
): Promise<T> {
  const path = await pathOf(kubeConfig, referenceOf(object))
  return requestKube<T>(kubeConfig, {
    method: 'PATCH',
    path: subresource ? `${path}/${subresource}` : path,
    query: { fieldManager, force },
    // JSON is YAML.
    contentType: 'application/apply-patch+yaml',
    body: withoutManagedFields(object),
  })
}

/** Returns the stored object, or undefined when it does not exist. Throws KubeApiError for every other error. */
export async function getObject<T extends KubernetesObject>(
  kubeConfig: KubeConfig,
  reference: ObjectReference,
): Promise<T | undefined> {
  const path = await pathOf(kubeConfig, reference)
  return orWhenMissing(requestKube<T>(kubeConfig, { path }), undefined)
}

/** Deletes an object; returns whether it existed. Throws KubeApiError, with 409 when a precondition does not hold. */
export async function deleteObject(
  kubeConfig: KubeConfig,
  reference: ObjectReference,
  preconditions: Preconditions = {},
  options: Pick<KubeRequest, 'timeoutMs'> = {},
): Promise<boolean> {
  const path = await pathOf(kubeConfig, reference)
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions }
  return orWhenMissing(
    requestKube(kubeConfig, { method: 'DELETE', path, body, ...options }).then(() => true),
    false,
  )
}

function referenceOf(object: KubernetesObject): ObjectReference {
  const { apiVersion, kind, metadata } = object
  if (!apiVersion || !kind || !metadata?.name) throw new Error('An object needs apiVersion, kind and metadata.name')
  const { name, namespace } = metadata
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } }
}

async function orWhenMissing<T, M>(answer: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await answer
  } catch (error) {
    if (isNotFound(error)) return missing
    throw error
  }
}
