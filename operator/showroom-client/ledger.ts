import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '#rates/checks/fault.ts'
import type { ClientBinding, ClientsIndex, Loaded } from '#rates/published/format.ts'
import type { WrittenIndex } from '../publish/apply.ts'
import type { RefusedShards } from '../publish/refused-shards.ts'
import type { FailingPublication } from '../status/unpublished.ts'
import type { ClientVerdict } from './decide.ts'
import { saysLost, type ShowroomClientObject } from './object.ts'

/** What the last publication run found of one client. */
export interface ClientRecord {
  /** Of the object that was judged. */
  uid: string
  generation: number
  faults: Fault[]
  binding?: ClientBinding
  /** What was published of the client is gone, and its object is at fault: `binding` is what could be saved. */
  isLost?: boolean
  /** Nothing of the object is published as it is now, because a shard is refused. */
  isHeldBack?: boolean
  /** Sequence of the clients index that brought this binding in, as far as this process knows. */
  since: number
}

/** The records by client id. */
export interface ClientsLedger {
  records: Map<string, ClientRecord>
  /** Set while no publication succeeds. */
  failing?: FailingPublication
  /** Shards of the last run that the server refused. */
  refused?: RefusedShards
  digest?: string
  sequence?: number
  /** The index that this process wrote last: its event is no news. */
  written?: WrittenIndex
  /** The last index, should it be lost with its history. */
  index?: ClientsIndex
}

/**
 * Whether a process has loaded an index from `since` on, where this one is in force. The number alone says nothing of an
 * index of before a restore of etcd, whose number came again with another content.
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
  return { records: new Map() }
}

export interface RecordedRun {
  verdicts: readonly ClientVerdict[]
  /** Names of the clients that the next run judges. */
  waiting?: ReadonlySet<string>
  /** The index that the run began from, and the one in force after it. */
  before: ClientsIndex | undefined
  index: ClientsIndex
}

/**
 * Takes over what a run found. A binding that is as it was keeps the sequence that brought it in, but only where the run
 * before recorded the very index that this run began from: if another leader made one in between, or a write succeeded of
 * which the answer was lost, nobody knows here since when the binding is in force, and the present index counts.
 */
export function recordClients(ledger: ClientsLedger, run: RecordedRun): void {
  const { verdicts, waiting, before, index } = run
  const isFollowed = before !== undefined && before.sequence === ledger.sequence && before.digest === ledger.digest
  const known = isFollowed ? ledger.records : new Map<string, ClientRecord>()
  const earlier = ledger.records
  ledger.records = new Map()
  for (const verdict of verdicts) {
    const { name } = verdict.client.metadata
    // Nothing is said of a client that the next run judges: its status stays as it is.
    if (waiting?.has(name)) continue
    const last = known.get(name)
    const since = last && isSame(last.binding, verdict.binding) ? last.since : index.sequence
    ledger.records.set(name, recordOf(verdict, since, earlier.get(name)))
  }
  ledger.digest = index.digest
  ledger.sequence = index.sequence
  ledger.index = index
}

/** Where a run finds the same again the record stays the same object: whoever compares two runs is done at once. */
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
 * What could be saved is published by now, and can be read: the loss lasts until the object passes its checks. Its status
 * tells of it to an operator that has started since.
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
