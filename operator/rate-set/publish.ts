import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { parseRatesIndex } from '#rates/published/parse-index.ts'
import { RATES_INDEX, type RateSetEntry, type RatesIndex } from '#rates/published/format.ts'
import { recordOf } from '#rates/published/history.ts'
import { withoutPin } from '#rates/published/pin.ts'
import { API_VERSION, type Cluster } from '../cluster/cluster.ts'
import type { ChooseFormat, Desired } from '../publish/desired.ts'
import { computeInPlace } from '../publish/make-places.ts'
import type { KeepRelease } from '../publish/keep-release.ts'
import type { WrittenIndex } from '../publish/apply.ts'
import { gather, shardTexts, type Gathered, type IndexKind } from '../publish/gather.ts'
import { isRepaired, publishIndex, tidied, type IndexRun } from '../publish/publish-index.ts'
import { publishAllBut, type RefusedShards } from '../publish/refused-shards.ts'
import { rebuildRatesIndex } from '../publish/rebuild.ts'
import { ratesFromShards } from '../publish/rebuild-from-shards.ts'
import { computeFresh, versionsOf, type Computed, type Freshness, type Input } from '../publish/sources.ts'
import { candidatesOf } from './candidates-of-objects.ts'
import { decide, type PublicationDecision } from './decide.ts'
import type { MakeEvaluate } from './assignment.ts'
import { readLastGood, remember } from './last-good.ts'
import type { RatesLedger } from './ledger.ts'
import { CONTENT_LOST, guardLost, howToRestore, saidPublished, vanishing, WouldVanish, type LostSets } from './lost.ts'
import type { RateSetObject } from './object.ts'
import { markWithdrawn } from './mark-withdrawn.ts'
import { guardPins } from './pins.ts'
import type { Gate, OpenGate } from './promotion.ts'
import { guardRefused } from './refused.ts'
import { desiredRates } from './desired-index.ts'

const AT_ONCE_MS = 1

export const ratesIndex: IndexKind<RatesIndex> = {
  name: RATES_INDEX,
  label: 'rates',
  parse: parseRatesIndex,
  rebuild: rebuildRatesIndex,
  fromShards: ratesFromShards,
}

export interface RatesPublisher {
  cluster: Cluster
  /** All RateSets in the cache. */
  objects: () => Iterable<RateSetObject>
  /** All shard ConfigMaps in the cache. */
  shards: () => Iterable<V1ConfigMap>
  evaluate: MakeEvaluate
  /** Present when only attested contents are published. */
  gate?: Gate
  ledger: RatesLedger
  now: () => Date
  /** Chooses the format in which to replace the current index; by default this program's own. */
  format?: ChooseFormat
  /** What is needed to know that the caches are current; without it they are trusted. */
  freshness?: Omit<Freshness, 'kube'>
  /** Keeps the release in force, so that it can be asked for later; absent where none is kept. */
  keep?: KeepRelease
  /** Called at once with the index in force, which the ledger describes from then on. */
  onInForce?: (index: RatesIndex) => void
  /** Called after each run with what is published and cannot be read anywhere. */
  onLost?: (lost: LostSets) => void
}

/**
 * Brings the rates index to what the objects and the last good contents require; returns whether a release was made.
 */
export async function publishRates(publisher: RatesPublisher): Promise<IndexRun<RatesIndex>> {
  const { run, refused } = await publishAllBut((withheld) => publishAccepted(publisher, withheld))
  publisher.ledger.refused = refused
  return run
}

async function publishAccepted(publisher: RatesPublisher, refused: RefusedShards): Promise<IndexRun<RatesIndex>> {
  const { cluster, ledger, now, freshness = {} } = publisher
  const fresh = { kube: cluster.kube, sources: [], ...freshness }
  const compute = () => computeRates(publisher, refused)
  const onWritten = (written: WrittenIndex | undefined) => void (ledger.written = written)
  const places = { cluster, name: RATES_INDEX, onWritten } as const
  const computed = await computeInPlace(places, () => computeFresh<RatesIndex, ComputedRates>(fresh, compute)).catch(
    (error: unknown) => tellVanishing(publisher, error),
  )
  const { desired, gathered, gate, objects, decision, lost, isReset } = computed
  const published = await publishIndex({
    cluster,
    desired,
    gathered,
    now: now(),
    isForced: isReset,
    onWritten,
    ...(gate && { beforeWrites: () => gate.remember(desired.index.sets) }),
  })
  const { isNew, index } = published
  // A normal attestation may end an emergency without a change of content.
  if (gate && !isNew) await gate.remember(desired.index.sets)
  const isPutOff = [...decision.verdicts.values()].some(({ isPostponed }) => isPostponed)
  remember(ledger.known, desired, (name) => decision.contents.spec(name, decision.assignment))
  ledger.lost = new Map([...lost].filter(([name]) => decision.assignment.get(name) === 'lastGood'))
  record(ledger, objects, decision, { desired, index, gate })
  // Before the first publication nothing is in force that could be lost.
  if (isNew || gathered.index) ledger.index = index
  publisher.onInForce?.(index)
  publisher.onLost?.(ledger.lost)
  const mark = () => markWithdrawn(cluster, gathered.shards, withdrawnIn(decision))
  const tidy = await tidied(() => mark().then(() => published.prune()))
  const specOf = ({ specDigest }: RateSetEntry) => ledger.known.get(specDigest)?.spec
  const inForce = { index, history: published.history, specOf, ...replacedBy(index, gathered) }
  const kept = await tidied(async () => publisher.keep?.(inForce))
  return { isNew, index, isRepaired: isRepaired(gathered), ...kept, ...tidy, ...(isPutOff && { afterMs: AT_ONCE_MS }) }
}

/** The index that another one has just replaced; a rebuilt one may never have been in force. */
function replacedBy({ release }: RatesIndex, { index, isRebuilt }: Pick<Gathered<RatesIndex>, 'index' | 'isRebuilt'>) {
  return index && !isRebuilt && index.release !== release && { replaced: index }
}

/** Nothing is published; the ledger, and so the statuses and a metric, report what is lost. */
function tellVanishing({ ledger, objects, onLost }: RatesPublisher, error: unknown): never {
  if (!(error instanceof WouldVanish)) throw error
  ledger.lost = error.lost
  for (const { metadata } of objects()) {
    const { name, uid, generation } = metadata
    const entry = error.lost.get(name)
    if (!entry) continue
    const faults = [{ check: CONTENT_LOST, path: '', message: howToRestore(entry) }]
    const verdict = { name, version: 'lastGood' as const, reason: 'CheckFailed' as const, faults }
    const release = ledger.release ?? ''
    ledger.records.set(name, { uid, generation, verdict, entry, isLost: true, release })
  }
  onLost?.(ledger.lost)
  throw error
}

const withdrawnIn = ({ verdicts, assignment }: PublicationDecision) =>
  [...verdicts.values()].flatMap(({ name, reason }) =>
    reason === 'Withdrawn' && assignment.get(name) === 'none' ? [name] : [],
  )

interface ComputedRates extends Computed<RatesIndex> {
  objects: readonly RateSetObject[]
  decision: PublicationDecision
  gate: OpenGate | undefined
  lost: LostSets
}

async function computeRates(publisher: RatesPublisher, refused: RefusedShards): Promise<ComputedRates> {
  const readAt = versionsOf(publisher.freshness)
  const objects = [...publisher.objects()]
  const unproved: RateSetEntry[] = []
  const gathered = await gather(
    publisher.cluster,
    indexOf(publisher, unproved),
    publisher.shards(),
    publisher.ledger.index,
  )
  const gate = await publisher.gate?.open(publisher.cluster, gathered.index)
  const specs = new Map(objects.map(({ metadata, spec }) => [metadata.name, withoutPin(spec)]))
  const good = readLastGood(gathered.index, shardTexts(gathered.shards), publisher.ledger.known, (name) =>
    specs.get(name),
  )
  const checks = guardLost(guardRefused(publisher.evaluate, refused), { lost: good.lost, index: gathered.index })
  const decision = await decide(candidatesOf(objects, good, gathered.index), guardPins(gate?.guard(checks) ?? checks))
  const formatVersion = publisher.format?.(gathered.index?.formatVersion)
  const head = { sequence: gathered.nextSequence, sources: readAt, ...(formatVersion && { formatVersion }) }
  const desired = desiredRates(decision, { ...head, lost: good.lost })
  const isUnknown = gathered.isRebuilt && !gathered.history
  const published = [...(gathered.index?.sets ?? []), ...unproved, ...(isUnknown ? saidPublished(objects) : [])]
  const gone = vanishing(published, desired.index, (name) => specs.get(name)?.withdrawn === true)
  if (gone.length > 0) throw new WouldVanish(gone)
  const inputs = () => inputsOf(publisher.cluster.namespace, objects, { desired, gathered })
  return { objects, gathered, gate, decision, desired, inputs, readAt, lost: good.lost }
}

/**
 * A combination guessed from shards was never published as such: when attestations are required, it must be admitted.
 */
function indexOf({ cluster, gate }: RatesPublisher, unproved: RateSetEntry[]): IndexKind<RatesIndex> {
  if (!gate) return ratesIndex
  const add = (entry: RateSetEntry) => void unproved.push(entry)
  return { ...ratesIndex, fromShards: async (shards) => ratesFromShards(shards, await gate.admitted(cluster), add) }
}

/** The objects of all sets whose index entries would change. */
function inputsOf(
  namespace: string,
  objects: readonly RateSetObject[],
  { desired, gathered }: Pick<Computed<RatesIndex>, 'desired' | 'gathered'>,
): Input[] {
  const byName = new Map(objects.map((object) => [object.metadata.name, object]))
  const changed = gathered.index ? recordOf(gathered.index, desired.index, '').before : {}
  return Object.keys(changed).map((name) => ({
    reference: { apiVersion: API_VERSION, kind: 'RateSet', metadata: { name, namespace } },
    isAsStored: (stored) => versionIn(stored) === versionIn(byName.get(name)),
  }))
}

/** The parts of an object that a publication depends on, as a text; not its status, which is written all the time. */
function versionIn(object: KubernetesObject | undefined): string {
  const { uid, generation, annotations } = object?.metadata ?? {}
  return `${uid} ${generation} ${annotations?.[ATTESTATION_ANNOTATION]}`
}

function record(
  ledger: RatesLedger,
  objects: readonly RateSetObject[],
  { verdicts, contents, assignment }: PublicationDecision,
  { index, desired, gate }: { index: RatesIndex; desired: Desired<RatesIndex>; gate: OpenGate | undefined },
): void {
  const entries = new Map(desired.index.sets.map((entry) => [entry.name, entry]))
  ledger.records = new Map(
    objects.flatMap(({ metadata: { name, uid, generation } }) => {
      const verdict = verdicts.get(name)
      const entry = entries.get(name)
      if (!verdict) return []
      const before = ledger.records.get(name)
      // The next run judges this set, so its record stays as it is.
      if (verdict.isPostponed) return before ? [[name, before]] : []
      const isLost = ledger.lost.has(name) && { isLost: true }
      const emergency = entry && gate?.emergencyOf(name, entry.digest)
      const pinned = verdict.reason === 'Pinned' && contents.spec(name, assignment)
      const about = { ...isLost, ...(emergency && { emergency }), ...(pinned && { pinned }) }
      return [[name, { ...about, uid, generation, verdict, release: index.release, ...(entry && { entry }) }]]
    }),
  )
  ledger.published = index.sets
  ledger.release = index.release
  ledger.sequence = index.sequence
}
