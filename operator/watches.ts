import type { KubernetesObject, V1ConfigMap, V1EndpointSlice, V1Secret } from '@kubernetes/client-node'
import type { Registry } from 'prom-client'
import { PUBLISHED_LABEL, SIGNING_KEYS_SECRET } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { startWatch, type RunningWatch } from '#runtime/kube/watch.ts'
import type { Logger } from '#runtime/log.ts'
import { slicesOf } from './api-processes/addresses.ts'
import type { RateSetObject } from './rate-set/object.ts'
import { CLIENT_SECRET_TYPE } from './secrets/client-secret.ts'
import type { ShowroomClientObject } from './showroom-client/object.ts'

/** One change that a watch tells of; without `object` it was deleted. */
export interface Change {
  watched: 'rateSets' | 'clients' | 'published' | 'clientSecrets' | 'signingKeys' | 'endpointSlices'
  name: string
  object: KubernetesObject | undefined
}

export type OnChange = (change: Change) => void

export interface Watches {
  rateSets: RunningWatch<RateSetObject>
  clients: RunningWatch<ShowroomClientObject>
  /** Shards and indexes. */
  published: RunningWatch<V1ConfigMap>
  clientSecrets: RunningWatch<V1Secret>
  /** The one Secret of the signing keys: nothing else tells that it was deleted. */
  signingKeys: RunningWatch<V1Secret>
  /** Of the Services whose endpoints are the API processes; absent where they are configured by address. */
  endpointSlices?: RunningWatch<V1EndpointSlice>
}

export interface WatchSurroundings {
  kube: Kube
  clock?: Clock
  random?: () => number
  namespace: string
  clientSecretsNamespace: string
  apiHealthServices: readonly string[]
  /** After so long without a word, a watch is probed. */
  watchSilentSeconds: number
  log: Logger
  registry: Registry
}

/** Follows everything that the operator reads; `onChange` is told of each change. */
export function startWatches(around: WatchSurroundings, onChange: OnChange): Watches {
  const { kube, clock, random, log, registry, namespace, clientSecretsNamespace, apiHealthServices } = around
  const watching = (watched: Change['watched']) => ({
    ...{ kube, log, registry, silentMs: around.watchSilentSeconds * 1000, ...(clock && { clock }), ...(random && { random }) },
    onChange: (key: string, object: KubernetesObject | undefined) => onChange({ watched, name: nameIn(key), object }),
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
    rateSets: startWatch<RateSetObject>({ ...watching('rateSets'), ...collections.rateSets }),
    clients: startWatch<ShowroomClientObject>({ ...watching('clients'), ...collections.clients }),
    published: startWatch<V1ConfigMap>({ ...watching('published'), ...collections.published }),
    clientSecrets: startWatch<V1Secret>({ ...watching('clientSecrets'), ...collections.clientSecrets }),
    signingKeys: startWatch<V1Secret>({ ...watching('signingKeys'), ...signingKeys }),
    ...(apiHealthServices.length > 0 && {
      endpointSlices: startWatch<V1EndpointSlice>({ ...watching('endpointSlices'), ...slices }),
    }),
  }
}

/** What is followed, as paths below the server. */
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

/** Settles when every watch has had its first complete list. */
export async function synced(watches: Watches): Promise<void> {
  await Promise.all(Object.values(watches).map((watch) => (watch as RunningWatch<object>).synced))
}

/** Whether every watch is up to date. */
export function healthy(watches: Watches): boolean {
  return Object.values(watches).every((watch) => (watch as RunningWatch<object>).healthy())
}

export async function stopWatches(watches: Watches): Promise<void> {
  await Promise.all(Object.values(watches).map((watch) => (watch as RunningWatch<object>).stop()))
}

/** Shards of one kind, as last seen. */
export function shardsOf(watches: Watches, kind: 'rates' | 'clients'): V1ConfigMap[] {
  return [...watches.published.objects.values()].filter((each) => each.metadata?.labels?.[PUBLISHED_LABEL] === kind)
}

/** A client Secret as last seen. */
export function secretNamed(watches: Watches, namespace: string, name: string): V1Secret | undefined {
  return watches.clientSecrets.objects.get(`${namespace}/${name}`)
}

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}
