import type { KubeConfig, KubernetesListObject, KubernetesObject } from '@kubernetes/client-node'
import { CLIENT_SECRET_TYPE } from '#crds/showroom-client.ts'
import { requestKube } from '#runtime/kube/request.ts'
import type { Collection } from '#runtime/kube/resource-path.ts'
import { API_VERSION } from '../operator/cluster/cluster.ts'

/** Where one run has its objects. */
export interface Places {
  namespace: string
  secretsNamespace: string
}

/** The mean size, as JSON, of the objects that the server has stored for each client and each set, with the owners of their fields. */
export async function meanBytes(kubeConfig: KubeConfig, places: Places): Promise<number> {
  const sizes: number[] = []
  for (const { path, fieldSelector } of collectionsOf(places)) {
    const list = await requestKube<KubernetesListObject<KubernetesObject>>(kubeConfig, {
      path,
      query: { fieldSelector },
    })
    const each = list.items.filter(({ metadata }) => !isOfRun(metadata?.name ?? ''))
    sizes.push(...each.map((object) => Buffer.byteLength(JSON.stringify(object))))
  }
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length
}

/** Objects of which a run has a few, however many sets there are: indexes, histories, a release, and shards of 1,000 clients. */
const isOfRun = (name: string): boolean => /^(driveaway|release|clients|kube)-/.test(name)

function collectionsOf({ namespace, secretsNamespace }: Places): Collection[] {
  const kinds = `/apis/${API_VERSION}/namespaces/${namespace}`
  return [
    { path: `/api/v1/namespaces/${secretsNamespace}/secrets`, fieldSelector: `type=${CLIENT_SECRET_TYPE}` },
    { path: `${kinds}/showroomclients` },
    { path: `${kinds}/ratesets` },
    { path: `/api/v1/namespaces/${namespace}/configmaps` },
    { path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events` },
  ]
}
