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

/** What a published ConfigMap looks like on the wire: the parts of it that readers and the writer share. */
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

/** Text of `data['shard.json']`; written once for each shard, because it is compared far more often. */
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

/** The ConfigMap of an index; of one that is split, its head: the pages are shards of `splitIndex`. */
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

/** The ConfigMap of a history, beside its index. */
export function historyConfigMap(namespace: string, history: StoredHistory): PublishedConfigMap {
  const name = (history.kind === 'rates' ? RATES_INDEX : CLIENTS_INDEX) + HISTORY_SUFFIX
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { [PUBLISHED_LABEL]: 'history' } },
    data: { [HISTORY_KEY]: JSON.stringify(history) },
  }
}
