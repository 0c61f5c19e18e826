import type { KubeConfig } from '@kubernetes/client-node'
import { isNotFound } from './api-error.ts'
import { requestKube } from './request.ts'

/** Identifies an object; `namespace` is absent for cluster-scoped kinds. */
export interface ObjectReference {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}

/** The objects to list or watch. */
export interface Collection {
  /** Path on the server, such as `/api/v1/namespaces/rates/configmaps`. */
  path: string
  labelSelector?: string
  fieldSelector?: string
  /**
   * Metadata only: the server sends names, labels and annotations, so the memory of a reader does not grow with content
   * that it does not read.
   */
  metadataOnly?: boolean
}

interface Resource {
  name: string
  kind: string
  namespaced: boolean
}

type Discovered = Map<string, Promise<Resource[]>>

const discovered = new WeakMap<KubeConfig, Discovered>()

/** Path of an object on the server. Asks the server once for the plural; throws when the server has no such kind. */
export async function pathOf(kubeConfig: KubeConfig, reference: ObjectReference): Promise<string> {
  return `${await collectionPathOf(kubeConfig, reference)}/${encodeURIComponent(reference.metadata.name)}`
}

/** Path of the collection to which an object belongs. */
export async function collectionPathOf(kubeConfig: KubeConfig, reference: ObjectReference): Promise<string> {
  const { apiVersion, kind, metadata } = reference
  const { name, namespaced } = await resourceOf(kubeConfig, apiVersion, kind)
  if (namespaced && !metadata.namespace) throw new Error(`${kind} ${metadata.name} needs a namespace`)
  const scope = namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? '')}` : ''
  return `${groupPath(apiVersion)}${scope}/${name}`
}

/** Resources of Kubernetes itself, whose names never change: they are known before the server has answered. */
const BUILT_IN: Readonly<Record<string, Resource>> = {
  'v1/ConfigMap': { name: 'configmaps', kind: 'ConfigMap', namespaced: true },
  'v1/Secret': { name: 'secrets', kind: 'Secret', namespaced: true },
  'coordination.k8s.io/v1/Lease': { name: 'leases', kind: 'Lease', namespaced: true },
  'events.k8s.io/v1/Event': { name: 'events', kind: 'Event', namespaced: true },
}

async function resourceOf(kubeConfig: KubeConfig, apiVersion: string, kind: string): Promise<Resource> {
  const builtIn = BUILT_IN[`${apiVersion}/${kind}`]
  if (builtIn) return builtIn
  const known = knownTo(kubeConfig)
  const isFresh = !known.has(apiVersion)
  // The kind may have been installed since the last discovery.
  const found = (await discover(kubeConfig, known, apiVersion)).find(isOf(kind)) ?? (!isFresh && (await again()))
  if (!found) throw new Error(`The server has no kind ${kind} in ${apiVersion}`)
  return found

  async function again(): Promise<Resource | undefined> {
    known.delete(apiVersion)
    return (await discover(kubeConfig, known, apiVersion)).find(isOf(kind))
  }
}

// The list contains subresources too, such as `ratesets/status`.
const isOf = (kind: string) => (resource: Resource) => resource.kind === kind && !resource.name.includes('/')

function knownTo(kubeConfig: KubeConfig): Discovered {
  const known = discovered.get(kubeConfig) ?? (new Map() as Discovered)
  discovered.set(kubeConfig, known)
  return known
}

function discover(kubeConfig: KubeConfig, known: Discovered, apiVersion: string): Promise<Resource[]> {
  const pending = known.get(apiVersion) ?? resourcesOf(kubeConfig, apiVersion)
  known.set(apiVersion, pending)
  // Failures are not cached.
  pending.catch(() => known.get(apiVersion) === pending && known.delete(apiVersion))
  return pending
}

async function resourcesOf(kubeConfig: KubeConfig, apiVersion: string): Promise<Resource[]> {
  try {
    return (await requestKube<{ resources: Resource[] }>(kubeConfig, { path: groupPath(apiVersion) })).resources
  } catch (error) {
    // Must not be taken for an object that does not exist.
    if (isNotFound(error)) throw new Error(`The server does not serve ${apiVersion}`, { cause: error })
    throw error
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}
