import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { WrittenIndex } from '../publish/apply.ts'
import type { RefusedShards } from '../publish/refused-shards.ts'
import type { FailingPublication } from '../status/unpublished.ts'
import type { Verdict } from './decide.ts'
import type { KnownSpecs } from './last-good.ts'
import type { Emergency } from './promotion.ts'

/** What the last publication run found about one set. */
export interface RateSetRecord {
  /** uid of the object that was judged. */
  uid: string
  generation: number
  verdict: Verdict
  /** The set's entry in the current index. */
  entry?: RateSetEntry
  /** The content of that entry cannot be read anywhere. */
  isLost?: boolean
  /** That entry is published on an emergency attestation. */
  emergency?: Emergency
  /** The content at which the object pins its set: its own, or an earlier one. */
  pinned?: RateSetSpec
  release: string
}

/** The records by name of the set, and the entries of everything that is published. */
export interface RatesLedger {
  records: Map<string, RateSetRecord>
  published: readonly RateSetEntry[]
  /** Entries that are published and cannot be read anywhere, by name. */
  lost: ReadonlyMap<string, RateSetEntry>
  /** Set while no publication succeeds. */
  failing?: FailingPublication
  /** Shards that the server refused in the last run. */
  refused?: RefusedShards
  release?: string
  sequence?: number
  /** The index that this process wrote last; its event is not a change. */
  written?: WrittenIndex
  /** The last index, in case it is lost together with its history. */
  index?: RatesIndex
  /** The contents of that index, in case their shards are lost too: a restore of etcd often ends a term as well. */
  known: KnownSpecs
}

export function emptyRatesLedger(): RatesLedger {
  return { records: new Map(), published: [], lost: new Map(), known: new Map() }
}
