import { parseHistoryChunk } from '#rates/published/parse-index.ts'
import type { NamedShard } from '#rates/published/encode-rates.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import {
  chunkOf,
  HISTORY_VERSION,
  keptPosition,
  namesOf,
  OPEN_LIMIT,
  recordOf,
  releaseIn,
  shardNamesOf,
  type HistoryChunk,
  type HistoryRecord,
  type StoredHistory,
} from '#rates/published/history.ts'
import { splitIndex } from '#rates/published/index-pages.ts'

/** What is known of earlier publications: the stored history with its chunks. */
export interface History<I> {
  /** The index of the last record; that index may never have been put in force. */
  index: I
  /** Oldest first, including those in chunks. */
  records: readonly HistoryRecord[]
  /** The records that are not in a chunk. */
  open: readonly HistoryRecord[]
  chunks: readonly HistoryChunk[]
  /** Whether every chunk could be read; if not, nobody knows which shards its records still need. */
  isWhole: boolean
}

/** Builds the history from a head and its chunks. */
export function openHistory<I>(
  { chunks, records: open }: StoredHistory,
  index: I,
  textOf: (shard: string) => string | undefined,
): History<I> {
  const read = chunks.map((chunk) => readChunk(chunk, textOf))
  // For a lost chunk, its last time is still known.
  const closed = read.flatMap((records, at) => records ?? endOf(chunks[at]))
  return { index, records: [...closed, ...open], open, chunks, isWhole: !read.includes(undefined) }
}

function endOf(chunk: HistoryChunk | undefined): HistoryRecord[] {
  return chunk ? [{ sequence: chunk.to, release: '', at: chunk.at, before: {} }] : []
}

/** Chunks that were read, by the name of their first shard: a chunk never changes, and every run reads it. */
const chunksRead = new Map<string, readonly HistoryRecord[]>()
const CHUNKS_READ = 500

function readChunk(chunk: HistoryChunk, textOf: (shard: string) => string | undefined) {
  const key = chunk.shards.map(({ digest }) => digest).join(' ')
  const known = chunksRead.get(key)
  if (known) return known
  try {
    const records = parseHistoryChunk(chunk, textOf)
    if (chunksRead.size >= CHUNKS_READ) chunksRead.clear()
    chunksRead.set(key, records)
    return records
  } catch {
    return undefined
  }
}

/** The next history: what is written before the index, and the shards that must exist before that. */
export interface Advanced<I> {
  history: History<I>
  stored: StoredHistory
  shards: NamedShard[]
}

/** The history after one more publication; `present` is the index in force, if any. */
export function advance<I extends RatesIndex | ClientsIndex>(
  history: History<I> | undefined,
  present: I | undefined,
  desired: I | undefined,
  now: Date,
): Advanced<I> | undefined {
  const at = now.toISOString()
  const found = present && !isRecorded(history, present) ? [recordOf(history?.index, present, at)] : []
  const last = found.length > 0 ? present : history?.index
  const made = desired ? [recordOf(last, desired, at)] : []
  const index = desired ?? last
  if (!index) return undefined
  return trimmed({ before: history, index, records: [...found, ...made], now })
}

/** Whether the history has a record of the index in force. */
function isRecorded<I extends RatesIndex | ClientsIndex>(history: History<I> | undefined, present: I): boolean {
  const isSame = ({ sequence, release }: HistoryRecord) =>
    sequence === present.sequence && release === releaseIn(present)
  return history?.records.findLast(isSame) !== undefined
}

interface Trimming<I> {
  before: History<I> | undefined
  index: I
  /** The new records. */
  records: HistoryRecord[]
  now: Date
}

function trimmed<I extends RatesIndex | ClientsIndex>({ before, index, records, now }: Trimming<I>): Advanced<I> {
  const { records: known, open, chunks, isWhole } = before ?? nothingYet
  const all = [...known, ...records]
  const kept = keptPosition(all, now)
  const stillOpen = [...open, ...records].slice(-(all.length - kept))
  const from = all[kept]?.sequence ?? 0
  const sealed = sealWhenFull(index.kind, stillOpen)
  const next = { chunks: [...chunks.filter(({ to }) => to >= from), ...sealed.chunks], records: sealed.open }
  const head = { formatVersion: HISTORY_VERSION, kind: index.kind, index: splitIndex(index).stored }
  return {
    history: { index, records: all, open: next.records, chunks: next.chunks, isWhole },
    stored: { ...head, ...next },
    shards: sealed.shards,
  }
}

const nothingYet = { records: [], open: [], chunks: [], isWhole: true }

function sealWhenFull(kind: StoredHistory['kind'], open: HistoryRecord[]) {
  if (JSON.stringify(open).length <= OPEN_LIMIT) return { open, chunks: [], shards: [] }
  const { chunk, shards } = chunkOf(kind, open)
  return { open: [], chunks: [chunk], shards }
}

/**
 * The names that must stay, and the sequence below which everything else may be deleted; nothing may be deleted before
 * there is a history.
 */
export function keptBy<I extends RatesIndex | ClientsIndex>(
  { index, records, chunks, isWhole }: History<I>,
  now: Date,
): { names: Set<string>; from: number } {
  const first = keptPosition(records, now)
  const later = records.slice(first + 1)
  const replaced = later.flatMap(({ before }) => Object.values(before).flatMap((entry) => entry ?? []))
  const names = new Set([
    ...namesOf(index),
    ...replaced.flatMap(shardNamesOf),
    ...later.flatMap(({ pages = [] }) => pages),
    ...chunks.flatMap(({ shards }) => shards.map(({ name }) => name)),
  ])
  // A stored history begins with what was kept at its publication, and a deletion may have failed then.
  const isPreceded = first > 0 || isTrimmed(records)
  return { names, from: isPreceded && isWhole ? (records[first]?.sequence ?? 0) : 0 }
}

/** Whether records before these were dropped as no longer kept: the first of a history replaces nothing that is known. */
const isTrimmed = ([first]: readonly HistoryRecord[]): boolean => Object.keys(first?.before ?? {}).length > 0
