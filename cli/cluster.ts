import { KubeConfig } from '@kubernetes/client-node'
import { parse, type RateSetFile } from '#rates/files/rate-set-file.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { didYouMean } from './did-you-mean.ts'
import { WrongCall } from './help.ts'

/** What a cluster holds of a rate set; only what the command reads. */
export interface RateSetObject {
  metadata: { name: string; namespace: string }
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

/** Where one release is: a cluster may have several, each in a namespace of its own. */
export interface Place {
  kubeConfig: KubeConfig
  namespace: string
}

/** The namespace that the overlays of the repository name. */
const NAMESPACE = 'driveaway'

/** What the library calls http://localhost:8080, of which it makes a context where it finds no configuration. */
const FALLBACK = 'loaded-context'

/**
 * The place that a context of KUBECONFIG means, the current one where none is named: in the namespace that is asked for,
 * else in the context's own, else in that of the overlays. Throws WrongCall for an unknown context.
 */
export function connectTo(context: string | undefined, namespace?: string): Place {
  const kubeConfig = new KubeConfig()
  kubeConfig.loadFromDefault()
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
  return { kubeConfig, namespace: namespace ?? current.namespace ?? NAMESPACE }
}

/** Every rate set of a place, in the order of names; throws KubeApiError. */
export async function listRateSets({ kubeConfig, namespace }: Place): Promise<RateSetObject[]> {
  const path = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${namespace}/ratesets`
  const { items } = await listAll(kubeOf(kubeConfig), { path })
  return (items as unknown as RateSetObject[]).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

/** The rate sets of the place that a context means, as if they were files; throws WrongCall where there are none. */
export async function readCluster(context: string): Promise<RateSetFile[]> {
  const place = connectTo(context)
  const sets = await listRateSets(place)
  if (sets.length === 0)
    throw new WrongCall(
      `${context} has no rate sets in the namespace ${place.namespace}; set its namespace with: kubectl config set-context ${context} --namespace=NAME`,
    )
  // As text, so that what is said of a place in it has one.
  return sets.map(({ metadata: { name }, spec }) => {
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    return parse(JSON.stringify(object), `context:${context}/${name}`)
  })
}
