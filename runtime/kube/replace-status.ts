import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { requestKube } from './request.ts'
import { pathOf, type ObjectReference } from './resource-path.ts'

/** An object at the version that its status is meant for; its spec need not be there. */
export type WithNewStatus = ObjectReference & {
  metadata: { namespace: string; uid: string; resourceVersion: string }
  status: object
}

/**
 * Replaces the whole status of exactly the version that is named, and returns what is stored. Throws KubeApiError, 409 where
 * the object has changed, 404 where it is gone.
 */
export async function replaceStatus(
  kubeConfig: KubeConfig,
  object: WithNewStatus,
  fieldManager: string,
): Promise<KubernetesObject> {
  const path = `${await pathOf(kubeConfig, object)}/status`
  return requestKube<KubernetesObject>(kubeConfig, { method: 'PUT', path, query: { fieldManager }, body: object })
}
