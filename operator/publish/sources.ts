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
import { isPublished, type Wanted } from './desired.ts'
import type { Gathered } from './gather.ts'
import { sequenceOf } from './stamps.ts'

/** A collection that an index is computed from, as a watch follows it. */
export interface Source {
  /** The plural: under it the index records how far the collection was known. */
  name: string
  collection: Collection
  /** How far the cache is. */
  resourceVersion: () => string
  /** When the watch found that the server knew less than was known here, however far the cache is now. */
  setBack: () => SetBack | undefined
  /** Settles when the cache is a list that began after this call. */
  relist: () => Promise<void>
}

/** An input that decides what a publication changes. */
export interface Input {
  reference: ObjectReference
  /** Whether what is stored, or nothing, is what the publication was computed from. */
  isAsStored: (stored: KubernetesObject | undefined) => boolean
}

/** What a publication would be. */
export interface Computed<I extends RatesIndex | ClientsIndex> {
  desired: Wanted<I>
  gathered: Gathered<I>
  /** The inputs of everything that it changes. */
  inputs: () => Input[]
}

export interface Freshness {
  kube: Kube
  sources: readonly Source[]
  /** Told when the server knows less than was known here: it was restored from a backup. */
  onRestored?: (restored: Restored) => Promise<void>
  sleep?: (ms: number) => Promise<void>
  /** Told when a cache was found behind the server, or behind what is published. */
  onStale?: (source: string) => void
}

export interface Restored extends SetBack {
  source: string
}

/** What is known is older than what is published, and stays so: nothing is published from it. */
export class StaleView extends Error {
  override name = 'StaleView'

  constructor() {
    super('the caches are still behind the API server; nothing is published from them')
  }
}

const ATTEMPTS = 5
/** More inputs than these are cheaper to list than to read one by one. */
const READ_ONE_BY_ONE = 50
const READS_AT_ONCE = 12
/** What a stream that is alive may take to bring an event. */
const EVENTS_MS = 250
const STEP_MS = 25
const RELIST_MS = 30_000

/**
 * Computes until what would be written is computed from a view that is not behind the server, as of the first question;
 * throws StaleView when it stays behind. `isReset` tells that versions have begun anew, and have to be recorded again.
 */
export async function computeFresh<I extends RatesIndex | ClientsIndex, C extends Computed<I>>(
  freshness: Freshness,
  compute: (sources: Sources) => Promise<C>,
): Promise<C & { isReset: boolean }> {
  const ask = askedOnce(freshness)
  let isReset = false
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const versions = versionsOf(freshness.sources)
    const computed = await compute(versions)
    const isUntold = freshness.sources.some(({ setBack }) => setBack() !== undefined)
    if (isPublished(computed.desired, computed.gathered) && !isReset && !isUntold) return { ...computed, isReset }
    const server = await ask(computed)
    const known: Known = { versions, recorded: recordedBy(computed, isReset), server }
    const restored: Restored | undefined = attempt === 0 ? findRestored(freshness, known) : undefined
    if (!restored && (await isFresh(freshness.kube, computed, known))) return { ...computed, isReset }
    isReset ||= restored !== undefined
    if (restored) await freshness.onRestored?.(restored)
    await catchUp(freshness, isReset ? {} : server)
  }
  throw new StaleView()
}

/** How far the server is, as of the first question of a run. */
function askedOnce<I extends RatesIndex | ClientsIndex>(freshness: Freshness) {
  let server: Sources | undefined
  let lossSeen = ''
  return async ({ gathered }: Computed<I>): Promise<Sources> => {
    // With index and history gone nothing tells how far those were that published last: by now, perhaps, farther. Another
    // loss than the one that was seen is another publication since.
    const loss = gathered.isRebuilt && !gathered.history ? lossOf(gathered) : ''
    if (!server || (loss !== '' && loss !== lossSeen)) server = await collectionVersions(freshness)
    lossSeen = loss
    return server
  }
}

/** What is there beside a loss: each publication writes at least one of these. */
function lossOf<I>({ stored, storedHistory, shards }: Gathered<I>): string {
  const sequences = [...shards.values()].map(sequenceOf)
  return [stored?.resourceVersion, storedHistory?.resourceVersion, Math.max(0, ...sequences)].join(' ')
}

function recordedBy<I extends RatesIndex | ClientsIndex>({ gathered }: Computed<I>, isReset: boolean): Sources {
  return isReset ? {} : (gathered.index?.sources ?? {})
}

/** How far each cache is now. */
export function versionsOf(sources: readonly Source[]): Sources {
  return Object.fromEntries(sources.map(({ name, resourceVersion }) => [name, resourceVersion()]))
}

/** The version that each collection has now. */
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

/** A server that knew less than its watch once did, or that knows less than the cache, which was read first, or the index. */
function findRestored({ sources }: Freshness, { versions, recorded, server }: Known): Restored | undefined {
  for (const { name, setBack } of sources) {
    const found = setBack()
    if (found) return { source: name, ...found }
  }
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
  // Without an index nobody knows how far its inputs were known: only a view that is behind nothing will do.
  return !computed.gathered.isRebuilt && areAsStored(kube, computed)
}

/**
 * The version of a collection counts every write in the cluster, and a quiet watch learns it from a bookmark a minute
 * later. Meanwhile, what the publication changes is enough: each of its inputs is read, and is as it was computed from.
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

/** Gives events that are under way a moment, then lists again what is behind; without versions, everything. */
async function catchUp({ sources, sleep, onStale }: Freshness, server: Sources): Promise<void> {
  const behind = () =>
    sources.filter(({ name, resourceVersion }) => isEarlier(resourceVersion(), server[name] ?? resourceVersion()))
  for (let waited = 0; sleep && waited < EVENTS_MS && behind().length > 0; waited += STEP_MS) await sleep(STEP_MS)
  const late = Object.keys(server).length > 0 ? behind() : sources
  for (const { name } of late) onStale?.(name)
  const relisted = Promise.all(late.map((source) => source.relist()))
  // A server that does not answer must not hold this up for ever: another attempt asks again.
  await (sleep ? Promise.race([relisted, sleep(RELIST_MS)]) : relisted)
}
