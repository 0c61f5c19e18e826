import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '#rates/checks/fault.ts'
import type { ClientBinding, ClientsIndex, Loaded } from '#rates/published/format.ts'
import type { WrittenIndex } from '../publish/apply.ts'
import type { RefusedShards } from '../publish/refused-shards.ts'
import type { FailingPublication } from '../status/unpublished.ts'
import type { ClientVerdict } from './decide.ts'
import { RemadeSecrets } from './remade.ts'
import { saysLost, type ShowroomClientObject } from './object.ts'

/** What the last publication run found about one client. */
export interface ClientRecord {
  /** The uid of the object that was judged. */
  uid: string
  generation: number
  faults: Fault[]
  binding?: ClientBinding
  /** The published binding was lost and the object has a fault: `binding` is what could be recovered. */
  isLost?: boolean
  /** The object's content is not published, because the server refuses a shard. */
  isHeldBack?: boolean
  /** The sequence of the clients index in which this binding was first published, as far as this process knows. */
  since: number
}

/** The records by client id. */
export interface ClientsLedger {
  records: Map<string, ClientRecord>
  /** Set while no publication succeeds. */
  failing?: FailingPublication
  /** The Secrets that were created again and have yet to be told of. */
  remade: RemadeSecrets
  /** The shards that the server refused in the last run. */
  refused?: RefusedShards
  digest?: string
  sequence?: number
  /** The index that this process wrote last; its event is not a change. */
  written?: WrittenIndex
  /** The last index, in case it is lost together with its history. */
  index?: ClientsIndex
}

/**
 * Whether a process has loaded an index with sequence `since` or later. For the index in force the digest is compared
 * too: after a restore of etcd, the same sequence can be used again with other content.
 */
export function hasLoaded(
  loaded: Loaded['clients'] | undefined,
  since: number,
  { sequence, digest }: Pick<ClientsLedger, 'sequence' | 'digest'>,
): boolean {
  if (!loaded || loaded.sequence < since) return false
  return loaded.sequence !== sequence || loaded.digest === digest
}

export function emptyClientsLedger(): ClientsLedger {
  return { records: new Map(), remade: new RemadeSecrets() }
}

export interface RecordedRun {
  verdicts: readonly ClientVerdict[]
  /** Names of the clients that are left to the next run. */
  waiting?: ReadonlySet<string>
  /** The index at the start of the run, and the index in force after it. */
  before: ClientsIndex | undefined
  index: ClientsIndex
}

/**
 * Records what a run found. An unchanged binding keeps the sequence in which it was first published, if the previous
 * run recorded exactly the index from which this run started. Otherwise another leader wrote an index in between, or
 * the answer to a successful write was lost: nobody knows then since when the binding is in force, and the present
 * index counts.
 */
export function recordClients(ledger: ClientsLedger, run: RecordedRun): void {
  const { verdicts, waiting, before, index } = run
  const isFollowed = before !== undefined && before.sequence === ledger.sequence && before.digest === ledger.digest
  const known = isFollowed ? ledger.records : new Map<string, ClientRecord>()
  const earlier = ledger.records
  ledger.records = new Map()
  for (const verdict of verdicts) {
    const { name } = verdict.client.metadata
    // The next run judges this client; until then its status stays.
    if (waiting?.has(name)) continue
    const last = known.get(name)
    const since = last && isSame(last.binding, verdict.binding) ? last.since : index.sequence
    ledger.records.set(name, recordOf(verdict, since, earlier.get(name)))
  }
  ledger.digest = index.digest
  ledger.sequence = index.sequence
  ledger.index = index
}

/** An unchanged record remains the same object, so that comparing two runs takes no time. */
function recordOf({ client, binding, faults, ...verdict }: ClientVerdict, since: number, before?: ClientRecord) {
  const { uid, generation } = client.metadata
  const isLost = verdict.isLost === true || staysLost(before, client, faults) || undefined
  const found: Found = { uid, generation, faults, since, binding, isLost, isHeldBack: verdict.isHeldBack || undefined }
  return before && FIELDS.every((field) => before[field] === found[field]) ? before : defined(found)
}

type Found = { [key in keyof Required<ClientRecord>]: ClientRecord[key] }

const FIELDS = [
  'uid',
  'generation',
  'faults',
  'since',
  'binding',
  'isLost',
  'isHeldBack',
] as const satisfies (keyof Found)[]

function defined({ binding, isLost, isHeldBack, ...record }: Found): ClientRecord {
  return { ...record, ...(binding && { binding }), ...(isLost && { isLost }), ...(isHeldBack && { isHeldBack }) }
}

/**
 * A recovered binding is published by now and can be read, so the loss lasts until the object passes its checks. After
 * a restart, the operator knows of the loss from the status.
 */
function staysLost(
  earlier: ClientRecord | undefined,
  { metadata, status }: ShowroomClientObject,
  faults: readonly Fault[],
): boolean {
  const wasLost = earlier?.isLost === true && earlier.uid === metadata.uid
  return faults.length > 0 && (wasLost || saysLost(status))
}

function isSame(a: ClientBinding | undefined, b: ClientBinding | undefined): boolean {
  return a === b || isDeepStrictEqual(a, b)
}
