import type { V1ConfigMap, V1EndpointSlice, V1Secret } from '@kubernetes/client-node'
import type { Registry } from 'prom-client'
import { CLIENT_SECRET_TYPE } from '#crds/showroom-client.ts'
import { PUBLISHED_LABEL, SIGNING_KEYS_SECRET, type PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Collection } from '#runtime/kube/resource-path.ts'
import { startWatch, type RunningWatch } from '#runtime/kube/watch.ts'
import type { Logger } from '#runtime/log.ts'
import { slicesOf } from '../api-processes/addresses.ts'
import type { RateSetObject } from '../rate-set/object.ts'
import type { ShowroomClientObject } from '../showroom-client/object.ts'

/** The object type of each watch. */
export interface Watched {
  rateSets: RateSetObject
  clients: ShowroomClientObject
  /** Shards and indexes. */
  published: V1ConfigMap
  clientSecrets: V1Secret
  /** The one Secret of the signing keys; only a watch shows that it was deleted. */
  signingKeys: V1Secret
  endpointSlices: V1EndpointSlice
}

/** One change reported by a watch; without `object` the object was deleted. */
export type ObjectChange = { [W in keyof Watched]: ChangeOf<W> }[keyof Watched]

interface ChangeOf<W extends keyof Watched> {
  watched: W
  name: string
  object: Watched[W] | undefined
}

export type OnChange = (change: ObjectChange) => void

type Running = { [W in keyof Watched]: RunningWatch<Watched[W]> }

/** Without `endpointSlices` when the API processes are configured by address rather than by their Services. */
export type Watches = Omit<Running, 'endpointSlices'> & Partial<Pick<Running, 'endpointSlices'>>

export interface WatchSurroundings {
  kube: Kube
  clock?: Clock
  random?: () => number
  namespace: string
  clientSecretsNamespace: string
  apiHealthServices: readonly string[]
  /** Seconds of silence after which a watch is probed. */
  watchSilentSeconds: number
  log: Logger
  registry: Registry
}

/** Watches everything that the operator reads; `onChange` is called for each change. */
export function startWatches(surroundings: WatchSurroundings, onChange: OnChange): Watches {
  const { kube, clock, random, log, registry, namespace, clientSecretsNamespace, apiHealthServices } = surroundings
  const common = {
    kube,
    log,
    registry,
    silentMs: surroundings.watchSilentSeconds * 1000,
    ...(clock && { clock }),
    ...(random && { random }),
  }
  const follow = <W extends keyof Watched>(watched: W, collection: Collection): RunningWatch<Watched[W]> =>
    startWatch<Watched[W]>({
      ...common,
      ...collection,
      onChange: (key, object) => onChange({ watched, name: nameIn(key), object } as ObjectChange),
    })
  const collections = collectionsOf(namespace, clientSecretsNamespace)
  const signingKeys = {
    path: `/api/v1/namespaces/${namespace}/secrets`,
    fieldSelector: `metadata.name=${SIGNING_KEYS_SECRET}`,
  }
  const slices = {
    path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
    labelSelector: slicesOf(apiHealthServices),
  }
  return {
    rateSets: follow('rateSets', collections.rateSets),
    clients: follow('clients', collections.clients),
    published: follow('published', collections.published),
    clientSecrets: follow('clientSecrets', collections.clientSecrets),
    signingKeys: follow('signingKeys', signingKeys),
    ...(apiHealthServices.length > 0 && { endpointSlices: follow('endpointSlices', slices) }),
  }
}

/** The watched collections, as paths below the server. */
export function collectionsOf(namespace: string, clientSecretsNamespace: string) {
  const kinds = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${namespace}`
  return {
    rateSets: { path: `${kinds}/ratesets` },
    clients: { path: `${kinds}/showroomclients` },
    published: { path: `/api/v1/namespaces/${namespace}/configmaps`, labelSelector: PUBLISHED_LABEL },
    clientSecrets: {
      path: `/api/v1/namespaces/${clientSecretsNamespace}/secrets`,
      fieldSelector: `type=${CLIENT_SECRET_TYPE}`,
    },
  }
}

/** Resolves when every watch has had its first complete list. */
export async function synced(watches: Watches): Promise<void> {
  await Promise.all(allOf(watches).map((watch) => watch.synced))
}

/** Whether every watch is up to date. */
export function healthy(watches: Watches): boolean {
  return allOf(watches).every((watch) => watch.healthy())
}

export async function stopWatches(watches: Watches): Promise<void> {
  await Promise.all(allOf(watches).map((watch) => watch.stop()))
}

const allOf = (watches: Watches): Pick<RunningWatch<object>, 'synced' | 'healthy' | 'stop'>[] => Object.values(watches)

/** Shards of one kind, as last seen. */
export function shardsOf(watches: Watches, kind: PublishedKind): V1ConfigMap[] {
  return [...watches.published.objects.values()].filter((each) => each.metadata?.labels?.[PUBLISHED_LABEL] === kind)
}

/** A client Secret as last seen. */
export function secretNamed(watches: Watches, namespace: string, name: string): V1Secret | undefined {
  return watches.clientSecrets.objects.get(`${namespace}/${name}`)
}

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}
