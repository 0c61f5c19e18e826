import type { KeptSet } from '#rates/files/kept-sets.ts'
import { KubeConfig } from '#runtime/kube/kube-config.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { clusterFault } from './cluster-fault.ts'
import { didYouMean } from './did-you-mean.ts'
import { WrongCall } from './help.ts'

/** A RateSet in a cluster, with only the fields that the command reads. */
export interface RateSetObject {
  metadata: { name: string; namespace: string; annotations?: Record<string, string> }
  spec: unknown
  status?: {
    digest?: string
    release?: string
    attestation?: string
    /** When every API process first served the digest. */
    servedSince?: string
    conditions?: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[]
  }
}

/** The place of one release: a cluster may have several, each in its own namespace. */
export interface Place {
  kubeConfig: KubeConfig
  namespace: string
}

/** The namespace that the overlays of the repository name. */
const NAMESPACE = 'driveaway'

/** The context that the client library makes up for http://localhost:8080 when it finds no configuration. */
const FALLBACK = 'loaded-context'

/**
 * The place that a context of KUBECONFIG denotes; without a name, the current context. The namespace is the given one,
 * else that of the context, else that of the overlays. Throws WrongCall for an unknown context.
 */
export function connectTo(context: string | undefined, namespace?: string): Place {
  const kubeConfig = loadKubeConfig()
  const contexts = kubeConfig.getContexts().filter(({ name }) => name !== FALLBACK)
  if (context !== undefined) {
    const known = contexts.map(({ name }) => name)
    if (!known.includes(context))
      throw new WrongCall(
        `KUBECONFIG has no context ${context}; its contexts: ${known.join(', ') || 'none'}${didYouMean(context, known)}`,
      )
    kubeConfig.setCurrentContext(context)
  }
  if (kubeConfig.getCurrentContext() === FALLBACK)
    throw new WrongCall('there is no cluster: KUBECONFIG names no file, and ~/.kube/config does not exist')
  const current = contexts.find(({ name }) => name === kubeConfig.getCurrentContext())
  if (!current)
    throw new WrongCall(
      'KUBECONFIG names no current context; name one with --context, or: kubectl config use-context NAME',
    )
  checkParts(kubeConfig, current)
  return { kubeConfig, namespace: namespace ?? current.namespace ?? NAMESPACE }
}

/** Without its user, the client library would also leave out the certificates of the cluster. */
function checkParts(kubeConfig: KubeConfig, { name, cluster, user }: { name: string; cluster: string; user: string }) {
  if (!kubeConfig.getCurrentCluster())
    throw new WrongCall(`KUBECONFIG has no cluster ${cluster}, which its context ${name} names`)
  if (user && !kubeConfig.getCurrentUser())
    throw new WrongCall(`KUBECONFIG has no user ${user}, which its context ${name} names`)
}

function loadKubeConfig(): KubeConfig {
  const kubeConfig = new KubeConfig()
  try {
    kubeConfig.loadFromDefault()
  } catch (error) {
    // A file that is not there is named by the file system.
    if (typeof (error as NodeJS.ErrnoException).path === 'string') throw error
    const file = process.env['KUBECONFIG'] ?? '~/.kube/config'
    throw new WrongCall(`KUBECONFIG (${file}) cannot be read: ${(error as Error).message}`)
  }
  return kubeConfig
}

/** Somebody waits; milliseconds for one page. */
const ANSWER_MS = 15_000

/** All rate sets of a place, sorted by name. Throws ServerFault. */
export async function listRateSets({ kubeConfig, namespace }: Place, signal?: AbortSignal): Promise<RateSetObject[]> {
  const path = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${namespace}/ratesets`
  const options = { path, timeoutMs: ANSWER_MS, ...(signal && { signal }) }
  const { items } = await listAll(kubeOf(kubeConfig), options).catch((error: unknown) => {
    const [context, server] = [kubeConfig.getCurrentContext(), kubeConfig.getCurrentCluster()?.server ?? '']
    throw clusterFault(error, { context, server, namespace })
  })
  return (items as unknown as RateSetObject[]).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

/** The rate sets of a context, as the cluster has them. Throws WrongCall when there are none, and ServerFault. */
export async function readObjects(context: string, signal?: AbortSignal): Promise<KeptSet[]> {
  const place = connectTo(context)
  const sets = await listRateSets(place, signal)
  if (sets.length === 0)
    throw new WrongCall(
      `${context} has no rate sets in the namespace ${place.namespace}; set its namespace with: kubectl config set-context ${context} --namespace=NAME`,
    )
  return sets.map(({ metadata: { name }, spec }) => ({ name, spec }))
}
