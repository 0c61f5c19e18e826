/**
 * Whether a publication is computed from no less than was known. A watch may be silent without an error (a half-open
 * connection), so a cache is not trusted by itself: an index records how far its inputs were known, a cache behind that
 * is never published from, and the server is asked before anything is written.
 */
import type { KubernetesObject } from '@kubernetes/client-node'
import type { ClientsIndex, RatesIndex, Sources } from '#rates/published/format.ts'
import { collectionVersion } from '#runtime/kube/collection-version.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Collection, ObjectReference } from '#runtime/kube/resource-path.ts'
import { isEarlier } from '#runtime/kube/resource-version.ts'
import type { SetBack } from '#runtime/kube/watch-position.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { isPublished, type Desired } from './desired.ts'
import type { Gathered } from './gather.ts'
import { sequenceOf } from './stamps.ts'

/** A watched collection that an index is computed from. */
export interface Source {
  /** The plural name, under which the index records the version of the collection. */
  name: string
  collection: Collection
  /** The version of the cache. */
  resourceVersion: () => string
  /** Set when the watch found an older server than before, however far the cache is now. */
  setBack: () => SetBack | undefined
  /** Resolves when the cache is a list that started after this call. */
  relist: () => Promise<void>
}

/** An object that determines what a publication changes. */
export interface Input {
  reference: ObjectReference
  /** Whether the stored object, or its absence, is what the publication was computed from. */
  isAsStored: (stored: KubernetesObject | undefined) => boolean
}

/** A computed publication. */
export interface Computed<I extends RatesIndex | ClientsIndex> {
  desired: Desired<I>
  gathered: Gathered<I>
  /** The inputs of everything that it changes. */
  inputs: () => Input[]
  /** The versions of the caches at the moment when their objects were read. */
  readAt: Sources
}

/**
 * Asks the server and lists what is behind while a computation does something that takes long; nothing where so few inputs
 * will change that they are read one by one. Never rejects: whatever is still behind is found afterwards.
 */
export type ListAhead<I> = (gathered: Gathered<I>, changes: number) => Promise<void> | undefined

export interface Freshness {
  kube: Kube
  sources: readonly Source[]
  /** Called when the server turns out to have been restored from a backup. */
  onRestored?: (restored: Restored) => Promise<void>
  sleep?: (ms: number) => Promise<void>
  /** Called when a cache is behind the server, or behind what is published. */
  onStale?: (source: string) => void
}

export interface Restored extends SetBack {
  source: string
}

/** The caches stay older than what is published, so nothing is published from them. */
export class StaleView extends Error {
  override name = 'StaleView'

  constructor() {
    super('the caches are still behind the API server; nothing is published from them')
  }
}

const ATTEMPTS = 5
/** More inputs than this are cheaper to list than to read one by one. */
const READ_ONE_BY_ONE = 50
const READS_AT_ONCE = 12
/** Time that a working stream may take to deliver an event. */
const EVENTS_MS = 250
const STEP_MS = 25
const RELIST_MS = 30_000

/**
 * Computes until the publication comes from caches that are not behind the server at the start of the run; throws
 * StaleView when they stay behind. `isReset` means that versions have started again and must be recorded again.
 */
export async function computeFresh<I extends RatesIndex | ClientsIndex, C extends Computed<I>>(
  freshness: Freshness,
  compute: (listAhead: ListAhead<I>) => Promise<C>,
): Promise<C & { isReset: boolean }> {
  const ask = askedOnce(freshness)
  let ahead: Promise<void> | undefined
  const listAhead: ListAhead<I> = (gathered, changes) => {
    if (changes <= READ_ONE_BY_ONE) return undefined
    ahead = ask(gathered)
      .then((server) => catchUp(freshness, server))
      .catch(() => undefined)
    return ahead
  }
  let isReset = false
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const computed = await compute(listAhead)
    const isUntold = freshness.sources.some(({ setBack }) => setBack() !== undefined)
    if (isPublished(computed.desired, computed.gathered) && !isReset && !isUntold) return { ...computed, isReset }
    const server = await ask(computed.gathered)
    const known: Known = { versions: computed.readAt, recorded: recordedBy(computed, isReset), server }
    const restored = attempt === 0 ? await findRestored(freshness, known, ahead !== undefined) : undefined
    if (!restored && (await isFresh(freshness.kube, computed, known))) return { ...computed, isReset }
    isReset ||= restored !== undefined
    if (restored) await freshness.onRestored?.(restored)
    // A new list would abort the one in progress.
    await ahead
    await catchUp(freshness, isReset ? {} : server)
  }
  throw new StaleView()
}

/** The versions on the server, read once at the start of a run. */
function askedOnce<I extends RatesIndex | ClientsIndex>(freshness: Freshness) {
  let server: Sources | undefined
  let lossSeen = ''
  return async (gathered: Gathered<I>): Promise<Sources> => {
    // Without index and history, nothing tells which versions the last publication was computed from; they may be newer
    // by now. A different loss than before means that there was another publication.
    const loss = gathered.isRebuilt && !gathered.history ? lossOf(gathered) : ''
    if (!server || (loss !== '' && loss !== lossSeen)) server = await collectionVersions(freshness)
    lossSeen = loss
    return server
  }
}

/** What exists beside a loss: each publication writes at least one of these. */
function lossOf<I>({ stored, storedHistory, shards }: Gathered<I>): string {
  const sequences = [...shards.values()].map(sequenceOf)
  return [stored?.resourceVersion, storedHistory?.resourceVersion, Math.max(0, ...sequences)].join(' ')
}

function recordedBy<I extends RatesIndex | ClientsIndex>({ gathered }: Computed<I>, isReset: boolean): Sources {
  return isReset ? {} : (gathered.index?.sources ?? {})
}

/** The version of each cache. */
export function versionsOf(freshness: Pick<Freshness, 'sources'> | undefined): Sources {
  return Object.fromEntries(freshness?.sources.map(({ name, resourceVersion }) => [name, resourceVersion()]) ?? [])
}

/** The version of each collection on the server. */
async function collectionVersions({ kube, sources }: Freshness): Promise<Sources> {
  const versions = await Promise.all(
    sources.map(async ({ name, collection }) => [name, await collectionVersion(kube, collection)] as const),
  )
  return Object.fromEntries(versions)
}

interface Known {
  versions: Sources
  recorded: Sources
  server: Sources
}

/**
 * A server that is older than its watch, the cache (which was read first), or the index. An answer that was asked for ahead
 * may be older than a restore, so the server is asked again.
 */
async function findRestored(freshness: Freshness, known: Known, isAskedAhead: boolean): Promise<Restored | undefined> {
  for (const { name, setBack } of freshness.sources) {
    const found = setBack()
    if (found) return { source: name, ...found }
  }
  const server = isAskedAhead ? await collectionVersions(freshness) : known.server
  return olderServer({ ...known, server })
}

function olderServer({ versions, recorded, server }: Known): Restored | undefined {
  for (const [source, version] of Object.entries(server)) {
    const known = [versions[source], recorded[source]].find((each) => each !== undefined && isEarlier(version, each))
    if (known !== undefined) return { source, known, server: version }
  }
  return undefined
}

async function isFresh<I extends RatesIndex | ClientsIndex>(kube: Kube, computed: Computed<I>, known: Known) {
  const { versions, recorded, server } = known
  const isBehind = (than: Sources) => Object.entries(versions).some(([name, at]) => isEarlier(at, than[name] ?? at))
  if (isBehind(recorded)) return false
  if (!isBehind(server)) return true
  // Without an index, nobody knows the versions of its inputs, so only fully current caches will do.
  return !computed.gathered.isRebuilt && areAsStored(kube, computed)
}

/**
 * The version of a collection counts every write in the cluster, and a quiet watch learns it from a bookmark up to a
 * minute later. Until then it is sufficient that each input of the changes is read and is unchanged.
 */
async function areAsStored<I extends RatesIndex | ClientsIndex>(kube: Kube, { inputs }: Computed<I>) {
  const all = inputs()
  if (all.length > READ_ONE_BY_ONE) return false
  let areSame = true
  await inParallel(READS_AT_ONCE, all, async ({ reference, isAsStored }) => {
    if (!isAsStored(await kube.get(reference))) areSame = false
  })
  return areSame
}

/** Waits a moment for events on their way, then lists again what is behind; without versions, everything. */
async function catchUp({ sources, sleep, onStale }: Freshness, server: Sources): Promise<void> {
  const behind = () =>
    sources.filter(({ name, resourceVersion }) => isEarlier(resourceVersion(), server[name] ?? resourceVersion()))
  for (let waited = 0; sleep && waited < EVENTS_MS && behind().length > 0; waited += STEP_MS) await sleep(STEP_MS)
  const late = Object.keys(server).length > 0 ? behind() : sources
  for (const { name } of late) onStale?.(name)
  const relisted = Promise.all(late.map((source) => source.relist()))
  // A server that does not answer must not block this for ever: the next attempt asks again.
  await (sleep ? Promise.race([relisted, sleep(RELIST_MS)]) : relisted)
}
