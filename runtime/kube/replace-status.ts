import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { requestKube } from './request.ts'
import { pathOf, type ObjectReference } from './resource-path.ts'

/** An object with its new status and the version to which the status applies; the spec may be absent. */
export type WithNewStatus = ObjectReference & {
  metadata: { namespace: string; uid: string; resourceVersion: string }
  status: object
}

/**
 * Replaces the whole status of exactly the given version, and returns the stored object. Throws KubeApiError, with 409
 * when the object has changed and 404 when it no longer exists.
 */
export async function replaceStatus(
  kubeConfig: KubeConfig,
  object: WithNewStatus,
  fieldManager: string,
): Promise<KubernetesObject> {
  const path = `${await pathOf(kubeConfig, object)}/status`
  return requestKube<KubernetesObject>(kubeConfig, { method: 'PUT', path, query: { fieldManager }, body: object })
}
