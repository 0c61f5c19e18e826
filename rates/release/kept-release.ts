import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib'
import { canonicalJson, digestOf, sha256 } from '../published/canonical.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { RateSetEntry, RatesIndex } from '../published/format.ts'
import { withoutPin } from '../published/pin.ts'
import type { BundledEntry } from './bundle.ts'
import { isPeriodTime, type InForce } from './in-force.ts'
import { ReleaseFault } from './signed.ts'

/*
 * A release that a cluster keeps, in one immutable ConfigMap: each set's entry and spec, on a line of canonical JSON each,
 * packed. The metadata says which release it is and when it was in force, so a list of names tells what is kept.
 * Decision 0078.
 */

/** On each kept release, and on nothing else: who watches shards does not receive these. */
export const KEPT_RELEASE_LABEL = 'rates.driveaway.dev/kept-release'
const RELEASE = 'rates.driveaway.dev/release'
const IN_FORCE = 'rates.driveaway.dev/in-force'
const BYTES = 'rates.driveaway.dev/bytes'
/** Why only the metadata are there: the release is known, and its content is not kept. */
const NOT_KEPT = 'rates.driveaway.dev/not-kept'
/** The key in `binaryData`, which etcd stores as it is. */
const PACKED = 'release.br'

/** What the metadata of a kept release says. */
export interface KeptRelease {
  /** Name of the ConfigMap. */
  name: string
  release: string
  /** In order; a release that was corrected back has several. */
  inForce: readonly InForce[]
  bytes: number
  /** Why the content is not there, if it is not. */
  notKept?: string
}

/** Bytes that a ConfigMap may hold. */
const MOST_IN_CONFIG_MAP = 1_048_576

/** The parts of a ConfigMap that a kept release consists of. */
export interface KeptConfigMap {
  apiVersion: 'v1'
  kind: 'ConfigMap'
  metadata: { name: string; namespace: string; labels: Record<string, string>; annotations: Record<string, string> }
  immutable: true
  binaryData?: Record<string, string>
}

/** The name of the ConfigMap that keeps a release; nobody finds another content for it. */
export const keptName = (release: string): string => `release-${release.slice('sha256:'.length, 'sha256:'.length + 40)}`

/**
 * The release of an index as it is kept; undefined where the content of a set is not known. Of a release that is larger
 * than a ConfigMap, the metadata alone.
 */
export function keptConfigMap(
  namespace: string,
  { release, sets }: RatesIndex,
  specOf: (entry: RateSetEntry) => RateSetSpec | undefined,
  inForce: readonly InForce[],
): KeptConfigMap | undefined {
  const lines = sets.flatMap((entry) => linesOf(entry, specOf(entry)))
  if (lines.length < 2 * sets.length) return undefined
  const packed = brotliCompressSync(lines.join('\n'), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  const annotations = { [RELEASE]: release, ...inForceAnnotation(inForce) }
  const tooLarge = `packed it takes ${packed.length} bytes, and a ConfigMap holds ${MOST_IN_CONFIG_MAP}`
  const isKept = packed.length <= MOST_IN_CONFIG_MAP
  const said: Record<string, string> = isKept
    ? { [BYTES]: String(packed.length) }
    : { [BYTES]: '0', [NOT_KEPT]: tooLarge }
  const object: KeptConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: keptName(release),
      namespace,
      labels: { [KEPT_RELEASE_LABEL]: 'true' },
      annotations: { ...annotations, ...said },
    },
    immutable: true,
  }
  return isKept ? { ...object, binaryData: { [PACKED]: packed.toString('base64') } } : object
}

function linesOf(entry: RateSetEntry, spec: RateSetSpec | undefined): string[] {
  const text = spec && canonicalJson(withoutPin(spec))
  const bundled: BundledEntry = { ...entry, shards: entry.shards.map(({ digest }) => digest) }
  return text !== undefined && sha256(text) === entry.specDigest ? [canonicalJson(bundled), text] : []
}

/** The annotation that says when a release was in force. */
export const inForceAnnotation = (inForce: readonly InForce[]): Record<string, string> => ({
  [IN_FORCE]: inForce.map(({ since, until = '' }) => `${since}/${until}`).join(','),
})

/** What the metadata of an object says; undefined where it is not that of a kept release. */
export function readKept({
  metadata: { name = '', annotations = {} } = {},
}: {
  metadata?: { name?: string; annotations?: Record<string, string> }
}): KeptRelease | undefined {
  const release = annotations[RELEASE] ?? ''
  const inForce = (annotations[IN_FORCE] ?? '').split(',').map(periodIn)
  if (name !== keptName(release) || !inForce.every((period) => period !== undefined)) return undefined
  const kept: KeptRelease = { name, release, inForce, bytes: Number(annotations[BYTES]) || 0 }
  const notKept = annotations[NOT_KEPT]
  return notKept === undefined ? kept : { ...kept, notKept }
}

function periodIn(text: string): InForce | undefined {
  const [since = '', until = ''] = text.split('/')
  if (!isPeriodTime(since) || (until !== '' && !isPeriodTime(until))) return undefined
  return { since, ...(until !== '' && { until }) }
}

/** The packed bytes in a ConfigMap; undefined where there are none. */
export const packedIn = (object: { binaryData?: Record<string, string> } | undefined): string | undefined =>
  object?.binaryData?.[PACKED]

/** One rate set of a kept release: its entry, and both as the canonical JSON that was kept. */
export interface KeptSet {
  entry: BundledEntry
  entryText: string
  specText: string
}

/** Bytes that a kept release may unpack to. */
const MOST_BYTES = 64 * 1024 * 1024
const unpack = promisify(brotliDecompress)

/** The rate sets of a kept release, every digest verified; throws ReleaseFault where the bytes are not this release. */
export async function unpackRelease(packed: Uint8Array, release: string): Promise<KeptSet[]> {
  const bytes = await unpack(packed, { maxOutputLength: MOST_BYTES }).catch(() => undefined)
  const lines = bytes?.toString('utf8').split('\n') ?? []
  const sets = lines.flatMap((entryText, at) => (at % 2 === 0 ? [setIn(entryText, lines[at + 1] ?? '', release)] : []))
  if (digestOf(sets.map(({ entry }) => entry)) === release) return sets
  throw altered(release)
}

function setIn(entryText: string, specText: string, release: string): KeptSet {
  try {
    const entry = JSON.parse(entryText) as BundledEntry
    if (sha256(specText) === entry.specDigest) return { entry, entryText, specText }
  } catch {
    // Said below.
  }
  throw altered(release)
}

const altered = (release: string): ReleaseFault =>
  new ReleaseFault('altered', `what is kept of release ${release} is not its content`)

/** The content of the release as a bundle has it: canonical JSON. */
export const contentText = (release: string, sets: readonly KeptSet[]): string =>
  `{"release":"${release}","sets":[${sets.map(({ entryText, specText }) => `{"entry":${entryText},"spec":${specText}}`).join(',')}]}`
