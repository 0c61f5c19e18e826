import type { NamedShard } from './encode-rates.ts'
import {
  CLIENTS_INDEX,
  HISTORY_SUFFIX,
  PUBLISHED_LABEL,
  RATES_INDEX,
  type ClientsIndex,
  type RatesIndex,
  type Shard,
} from './format.ts'
import { HISTORY_KEY, type StoredHistory } from './history.ts'
import { splitIndex } from './index-pages.ts'

/** Keys of `data`. */
export const SHARD_KEY = 'shard.json'
export const INDEX_KEY = 'index.json'

/** A published ConfigMap as Kubernetes represents it: the fields that readers and the writer use. */
export interface PublishedConfigMap {
  apiVersion: 'v1'
  kind: 'ConfigMap'
  metadata: {
    name: string
    namespace: string
    labels: Record<string, string>
    annotations?: Record<string, string>
    resourceVersion?: string
    uid?: string
  }
  immutable?: boolean
  data: Record<string, string>
}

const written = new WeakMap<Shard, string>()

/**
 * The text of `data['shard.json']`; cached for each shard, because it is compared far more often than it is written.
 */
export function shardJson(shard: Shard): string {
  const text = written.get(shard) ?? JSON.stringify(shard)
  written.set(shard, text)
  return text
}

/** The immutable ConfigMap of one shard. */
export function shardConfigMap(namespace: string, { name, shard }: NamedShard): PublishedConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { [PUBLISHED_LABEL]: shard.kind } },
    immutable: true,
    data: { [SHARD_KEY]: shardJson(shard) },
  }
}

/**
 * The ConfigMap of an index; for a split index, the ConfigMap of its head. The pages are shards, made by `splitIndex`.
 */
export function indexConfigMap(namespace: string, index: RatesIndex | ClientsIndex): PublishedConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: index.kind === 'rates' ? RATES_INDEX : CLIENTS_INDEX,
      namespace,
      labels: { [PUBLISHED_LABEL]: 'index' },
    },
    data: { [INDEX_KEY]: JSON.stringify(splitIndex(index).stored) },
  }
}

/** The ConfigMap of a history, stored beside its index. */
export function historyConfigMap(namespace: string, history: StoredHistory): PublishedConfigMap {
  const name = (history.kind === 'rates' ? RATES_INDEX : CLIENTS_INDEX) + HISTORY_SUFFIX
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { [PUBLISHED_LABEL]: 'history' } },
    data: { [HISTORY_KEY]: JSON.stringify(history) },
  }
}
