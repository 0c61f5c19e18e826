import { ApiException, KubernetesObjectApi, PatchStrategy, type KubeConfig } from '@kubernetes/client-node'
import type { KubernetesObject } from '@kubernetes/client-node'
import { waitFor } from './wait-for.ts'

const fieldManager = 'driveaway-stack'

/** Applies objects server-side, in order, as a GitOps tool would; one without a namespace goes to the kubeconfig's. */
export async function apply(kubeConfig: KubeConfig, objects: readonly KubernetesObject[]) {
  const client = KubernetesObjectApi.makeApiClient(kubeConfig)
  for (const object of objects) await applyOne(client, object)
}

async function applyOne(client: KubernetesObjectApi, object: KubernetesObject) {
  try {
    await client.patch(object, undefined, undefined, fieldManager, true, PatchStrategy.ServerSideApply)
  } catch (error) {
    const name = `${object.kind} ${object.metadata?.name}`
    throw new Error(`${name} was not accepted: ${messageOf(error)}`, { cause: error })
  }
}

/** Waits until the API server serves every one of the given custom resource definitions. */
export async function untilEstablished(kubeConfig: KubeConfig, definitions: readonly KubernetesObject[]) {
  const client = KubernetesObjectApi.makeApiClient(kubeConfig)
  for (const { apiVersion, kind, metadata } of definitions) {
    const name = metadata?.name ?? ''
    await waitFor(`${kind} ${name} to be established`, async () => {
      const found = await client.read({ apiVersion, kind, metadata: { name } })
      const { conditions } = (found as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {}
      return conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True')
    })
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof ApiException)) return error instanceof Error ? error.message : String(error)
  try {
    const body: unknown = typeof error.body === 'string' ? JSON.parse(error.body) : error.body
    return (body as { message?: string }).message ?? error.message
  } catch {
    return error.message
  }
}
