import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { WrittenIndex } from '../publish/apply.ts'
import type { RefusedShards } from '../publish/refused-shards.ts'
import type { FailingPublication } from '../status/unpublished.ts'
import type { Verdict } from './decide.ts'
import type { KnownSpecs } from './last-good.ts'
import type { Emergency } from './promotion.ts'

/** What the last publication run found of one set. */
export interface RateSetRecord {
  /** Of the object that was judged. */
  uid: string
  generation: number
  verdict: Verdict
  /** What the index now has of it. */
  entry?: RateSetEntry
  /** The content of that entry can be read nowhere. */
  isLost?: boolean
  /** That entry is published on an emergency attestation. */
  emergency?: Emergency
  /** The content at which the object holds its set: its own, or an earlier one. */
  pinned?: RateSetSpec
  release: string
}

/** The records by name of the set, and the entries of everything that is published. */
export interface RatesLedger {
  records: Map<string, RateSetRecord>
  published: readonly RateSetEntry[]
  /** What is published and can be read nowhere, by name. */
  lost: ReadonlyMap<string, RateSetEntry>
  /** Set while no publication succeeds. */
  failing?: FailingPublication
  /** Shards of the last run that the server refused. */
  refused?: RefusedShards
  release?: string
  sequence?: number
  /** The index that this process wrote last: its event is no news. */
  written?: WrittenIndex
  /** The last index, should it be lost with its history. */
  index?: RatesIndex
  /** The contents of that index, should their shards be lost with it: a restore of etcd often ends a term of office too. */
  known: KnownSpecs
}

export function emptyRatesLedger(): RatesLedger {
  return { records: new Map(), published: [], lost: new Map(), known: new Map() }
}
