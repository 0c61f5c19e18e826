import type { KubernetesObject } from '@kubernetes/client-node'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { InForce } from '#rates/release/in-force.ts'
import {
  inForceAnnotation,
  KEPT_RELEASE_LABEL,
  keptConfigMap,
  keptName,
  readKept,
  type KeptRelease,
} from '#rates/release/kept-release.ts'
import type { Logger } from '#runtime/log.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { listAll } from '#runtime/kube/list.ts'
import { FIELD_MANAGER, TIDY_MS, type Cluster } from '../cluster/cluster.ts'
import type { History } from './history.ts'
import { ReplacedReleases, UnstoredReleases, type ReplacedRelease } from './replaced-releases.ts'

/** How long, and how many, releases are kept besides the one in force. */
export interface KeepRules {
  /** Days after the end of its time in force. */
  days: number
  megabytes: number
  now: () => Date
  log?: Pick<Logger, 'warn'>
}

/** The release in force, with its content and its history. */
export interface InForceNow {
  index: RatesIndex
  history: History<RatesIndex> | undefined
  specOf: (entry: RateSetEntry) => RateSetSpec | undefined
  /** The index that this one has just replaced; `specOf` still knows its content. */
  replaced?: RatesIndex
}

export type KeepRelease = (current: InForceNow) => Promise<void>

/** The next publication waits for what is done here, so a request that has no answer soon is left to the next call. */
const SENDING = { timeoutMs: TIDY_MS }
const WRITING = { ...SENDING, fieldManager: FIELD_MANAGER }
/** For each page of the list. */
const LIST_MS = 10_000

const AGAIN_MS = 3_600_000
/** Between two looks for the release in force alone, which read one ConfigMap. */
const LOOK_MS = 60_000
const DAY_MS = 86_400_000
const MEGABYTE = 1_000_000

/**
 * Stores each release in its own ConfigMap and deletes expired ones, each hour. A new release is stored at once. The
 * release in force is stored again where somebody deleted it: at the next call a minute later, or when another release
 * replaces it. A release that cannot be stored, changed or deleted hinders no other; the first such fault is thrown at
 * the end.
 */
export function releaseKeeper(cluster: Cluster, rules: KeepRules): KeepRelease {
  let last = { release: '', at: 0, lookedAt: 0 }
  const unstored = new UnstoredReleases()
  const replaced = new ReplacedReleases()
  return async (current) => {
    const { release } = current.index
    const at = rules.now().getTime()
    if (current.replaced) replaced.add({ index: current.replaced, specOf: current.specOf })
    if (last.release === release && replaced.size === 0 && at - last.at < AGAIN_MS) {
      if (at - last.lookedAt < LOOK_MS) return
      if (await cluster.kube.get(reference(cluster, keptName(release)), SENDING)) return void (last.lookedAt = at)
    }
    unstored.note(release, last.release)
    const kept = await listKept(cluster)
    unstored.delete(kept)
    const faults: unknown[] = []
    const onFault = (error: unknown) => void faults.push(error)
    const alone = <T>(step: Promise<T>) => step.catch(onFault)
    const [keptNow, stored] = await Promise.all([
      alone(keepCurrent(cluster, current, kept, rules.now())),
      replaced.keepAll((one) => keepReplaced(cluster, { ...current, replaced: one }, kept, rules.now()), onFault),
    ])
    const storedAgain = [last.release === release && keptNow, ...stored]
    tellStoredAgain(rules, [...kept, ...unstored.all()], storedAgain)
    unstored.delete([...stored, keptNow])
    const ended = await endOthers(cluster, current, kept, { now: rules.now(), alone })
    await deleteAll(cluster, outdatedReleases(ended, rules), onFault)
    if (keptNow && faults.length === 0) last = { release, at, lookedAt: at }
    if (faults.length > 0) throw faults[0]
  }
}

function tellStoredAgain(
  { log }: KeepRules,
  before: readonly Pick<KeptRelease, 'release'>[],
  now: readonly (RatesIndex | false | void)[],
): void {
  for (const one of now)
    if (one && before.every(({ release }) => release !== one.release))
      log?.warn({ release: one.release }, 'the copy of a release was deleted, and is stored again')
}

async function listKept({ kube, namespace }: Cluster): Promise<KeptRelease[]> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const { items } = await listAll(kube, {
    path,
    labelSelector: KEPT_RELEASE_LABEL,
    metadataOnly: true,
    timeoutMs: LIST_MS,
  })
  return items.flatMap((item) => readKept(item) ?? [])
}

/**
 * Keeps the release in force, or notes that it is in force again, and returns it; undefined where a part of its content
 * is lost. Throws once, after writing the metadata, where the release is too large.
 */
async function keepCurrent(
  cluster: Cluster,
  { index, history, specOf }: InForceNow,
  kept: readonly KeptRelease[],
  now: Date,
): Promise<RatesIndex | undefined> {
  const known = kept.find(({ release }) => release === index.release)
  const present = { since: inForceSince(history, index.release) ?? now.toISOString() }
  if (!known) {
    const object = keptConfigMap(cluster.namespace, index, specOf, [present])
    if (object) await cluster.kube.create(object, WRITING)
    const notKept = object && readKept(object)?.notKept
    if (notKept !== undefined) throw new Error(`release ${index.release} cannot be kept: ${notKept}`)
    return object && index
  }
  if (known.inForce.at(-1)?.until !== undefined) await writePeriods(cluster, known, [...known.inForce, present])
  return index
}

/** Keeps the release that was in force until now, where nothing of it is there, and returns it then: nobody knows its content later. */
async function keepReplaced(
  { kube, namespace }: Cluster,
  { index, history, replaced }: Pick<InForceNow, 'index' | 'history'> & { replaced: ReplacedRelease },
  kept: readonly KeptRelease[],
  now: Date,
): Promise<RatesIndex | undefined> {
  const { release } = replaced.index
  // One that is in force again is kept as such.
  if (release === index.release || kept.some((each) => each.release === release)) return undefined
  const since = inForceSince(upToLast(history, release), release)
  const until = endOf(history, release) ?? inForceSince(history, index.release) ?? now.toISOString()
  const object = since && keptConfigMap(namespace, replaced.index, replaced.specOf, [{ since, until }])
  if (object) await kube.create(object, WRITING)
  return object ? replaced.index : undefined
}

interface Ending {
  now: Date
  /** Notes the fault of a step, which then hinders no other. */
  alone: <T>(step: Promise<T>) => Promise<T | void>
}

/** Writes the end of the time in force on each other release that has none, and returns them. */
async function endOthers(
  cluster: Cluster,
  { index, history }: InForceNow,
  kept: readonly KeptRelease[],
  { now, alone }: Ending,
): Promise<KeptRelease[]> {
  const others = kept.filter(({ release }) => release !== index.release)
  return Promise.all(
    others.map(async (other) => {
      const present = other.inForce.at(-1)
      if (!present || present.until !== undefined) return other
      const until = endOf(history, other.release) ?? inForceSince(history, index.release) ?? now.toISOString()
      const inForce = [...other.inForce.slice(0, -1), { ...present, until }]
      await alone(writePeriods(cluster, other, inForce))
      return { ...other, inForce }
    }),
  )
}

async function writePeriods(cluster: Cluster, { name }: KeptRelease, inForce: readonly InForce[]): Promise<void> {
  const metadata = { annotations: inForceAnnotation(inForce) }
  await cluster.kube.patchMetadata<KubernetesObject>(reference(cluster, name), metadata, WRITING)
}

/** A refusal hinders no other deletion; where the server does not answer, the rest is left to the next call. */
async function deleteAll(
  cluster: Cluster,
  releases: readonly KeptRelease[],
  onFault: (error: unknown) => void,
): Promise<void> {
  for (const { name } of releases) {
    try {
      await cluster.kube.delete(reference(cluster, name), undefined, SENDING)
    } catch (error) {
      onFault(error)
      if (!(error instanceof KubeApiError)) return
    }
  }
}

const reference = ({ namespace }: Cluster, name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})

/** The time of the first of the last publications in a row that have this release. */
function inForceSince(history: Pick<History<RatesIndex>, 'records'> | undefined, release: string): string | undefined {
  const records = history?.records ?? []
  const before = records.findLastIndex((record) => record.release !== release)
  return records[before + 1]?.at
}

/** The records up to the last one that has this release. */
function upToLast(history: History<RatesIndex> | undefined, release: string): Pick<History<RatesIndex>, 'records'> {
  const { records = [] } = history ?? {}
  return { records: records.slice(0, records.findLastIndex((record) => record.release === release) + 1) }
}

/** The time of the first publication after the last one that has this release. */
function endOf(history: History<RatesIndex> | undefined, release: string): string | undefined {
  const records = history?.records ?? []
  const last = records.findLastIndex((record) => record.release === release)
  return last < 0 ? undefined : records[last + 1]?.at
}

/** The expired releases: those past their days, and the oldest of the others beyond the megabytes. */
function outdatedReleases(ended: readonly KeptRelease[], { days, megabytes, now }: KeepRules): KeptRelease[] {
  const newestFirst = ended.toSorted((a, b) => (endedAt(a) < endedAt(b) ? 1 : -1))
  const oldest = new Date(now().getTime() - days * DAY_MS).toISOString()
  let bytes = 0
  return newestFirst.filter((each) => {
    bytes += each.bytes
    return endedAt(each) < oldest || bytes > megabytes * MEGABYTE
  })
}

const endedAt = ({ inForce }: KeptRelease): string => inForce.at(-1)?.until ?? ''
