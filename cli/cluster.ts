import { KubeConfig } from '@kubernetes/client-node'
import { parse, type RateSetFile } from '#rates/files/rate-set-file.ts'
import { listAll } from '#runtime/kube/list.ts'
import { WrongCall } from './help.ts'

/** What a cluster holds of a rate set; only what the command reads. */
export interface RateSetObject {
  metadata: { name: string; namespace: string }
  spec: unknown
  status?: {
    digest?: string
    release?: string
    /** When every API process first served the digest. */
    servedSince?: string
    conditions?: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[]
  }
}

/** A connection by a context of KUBECONFIG, the current one where none is named; throws WrongCall for an unknown one. */
export function connectTo(context: string | undefined): KubeConfig {
  const kubeConfig = new KubeConfig()
  kubeConfig.loadFromDefault()
  if (context === undefined) return kubeConfig
  const known = kubeConfig.getContexts().map(({ name }) => name)
  if (!known.includes(context))
    throw new WrongCall(`there is no context ${context} in KUBECONFIG; there is ${known.join(', ') || 'none'}`)
  kubeConfig.setCurrentContext(context)
  return kubeConfig
}

/** Every rate set of a cluster, in the order of names; throws KubeApiError. */
export async function listRateSets(kubeConfig: KubeConfig): Promise<RateSetObject[]> {
  const { items } = await listAll({ kubeConfig, path: '/apis/rates.driveaway.dev/v1alpha1/ratesets' })
  return (items as unknown as RateSetObject[]).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

/** The rate sets of a cluster as if they were files. */
export async function readCluster(context: string): Promise<RateSetFile[]> {
  const sets = await listRateSets(connectTo(context))
  if (sets.length === 0) throw new WrongCall(`the cluster of ${context} has no rate sets`)
  // As text, so that what is said of a place in it has one.
  return sets.map(({ metadata: { name }, spec }) => {
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    return parse(JSON.stringify(object), `context:${context}/${name}`)
  })
}
