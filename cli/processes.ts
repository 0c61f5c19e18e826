import type { V1EndpointSlice } from '@kubernetes/client-node'
import type { Loaded } from '#rates/published/format.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { requestKube } from '#runtime/kube/request.ts'
import type { Place } from './cluster.ts'

/** One API process and what it reports that it serves, or why it did not answer. */
export interface Process {
  name: string
  loaded?: Loaded
  fault?: string
}

const TIMEOUT_MS = 5_000

/** Asks processes by the addresses of their health ports. */
export function askAddresses(urls: readonly string[]): Promise<Process[]> {
  return Promise.all(
    urls.map((url) =>
      told(url, async () => {
        const response = await fetch(new URL('/loaded', url), { signal: AbortSignal.timeout(TIMEOUT_MS) })
        if (!response.ok) throw new Error(`answered ${response.status}`)
        return (await response.json()) as Loaded
      }),
    ),
  )
}

/**
 * Asks the pods behind the Services of the API, through the API server. Throws KubeApiError when the pods cannot be
 * listed.
 */
export async function askPods({ kubeConfig, namespace }: Place): Promise<Process[]> {
  const labelSelector = 'app.kubernetes.io/component in (pricing, inventory)'
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`
  const { items } = await listAll<V1EndpointSlice>(kubeOf(kubeConfig), { path, labelSelector })
  const pods = new Map(items.flatMap(podsOf).map((pod) => [pod.name, pod.path]))
  return Promise.all(
    [...pods].map(([name, pod]) =>
      told(name, () => requestKube<Loaded>(kubeConfig, { path: pod, timeoutMs: TIMEOUT_MS })),
    ),
  )
}

function podsOf({ endpoints, ports }: V1EndpointSlice): { name: string; path: string }[] {
  const port = ports?.find(({ name }) => name === 'health')?.port
  if (port === undefined) return []
  return (endpoints ?? []).flatMap(({ targetRef, conditions }) => {
    // A terminating pod soon stops answering, so it is left out.
    if (targetRef?.kind !== 'Pod' || conditions?.terminating === true) return []
    const { namespace, name = '' } = targetRef
    return [{ name: `${namespace}/${name}`, path: `/api/v1/namespaces/${namespace}/pods/${name}:${port}/proxy/loaded` }]
  })
}

async function told(name: string, ask: () => Promise<Loaded>): Promise<Process> {
  try {
    return { name, loaded: await ask() }
  } catch (error) {
    return { name, fault: (error as Error).message }
  }
}
