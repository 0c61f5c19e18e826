import type { V1ConfigMap } from '@kubernetes/client-node'
import { decodeJwt } from 'jose'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import type { BundleContent } from '#rates/release/bundle.ts'
import { inForceAt, lastSince, timeOf, type InForce } from '#rates/release/in-force.ts'
import { KEPT_RELEASE_LABEL, packedIn, readKept, unpackRelease, type KeptRelease } from '#rates/release/kept-release.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { connectTo, listRateSets, type Place, type RateSetObject } from './cluster.ts'
import { WrongCall } from './help.ts'

/** One release, and what the environment says of it. */
export interface ReadRelease {
  content: BundleContent
  /** By name of the rate set, where the cluster holds one of exactly this content. */
  attestations: Record<string, string>
  /** Absent where the source is no cluster. */
  inForce?: readonly InForce[]
}

/**
 * The release in force of `context:NAME`; `context:` alone is the current context. Of `context:NAME@RELEASE` or
 * `context:NAME@TIME`, that release, or the one that was in force at that time. Throws WrongCall.
 */
export async function readKeptRelease(source: string): Promise<ReadRelease> {
  const [, context = '', asked] = /^context:(.*?)(?:@(sha256:[0-9a-f]{64}|\d{4}-\d\d-\d\dT[^@]+))?$/.exec(source) ?? []
  const place = connectTo(context || undefined)
  const kept = await findKept(place, asked)
  return readKeptAt(place, kept, await listRateSets(place))
}

/** What a cluster keeps, the release that was put in force last first. */
export async function listKept({ kubeConfig, namespace }: Place): Promise<KeptRelease[]> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const { items } = await listAll(kubeOf(kubeConfig), { path, labelSelector: KEPT_RELEASE_LABEL, metadataOnly: true })
  return items.flatMap((item) => readKept(item) ?? []).toSorted((a, b) => (lastSince(a) < lastSince(b) ? 1 : -1))
}

/** Reads a kept release; throws ReleaseFault where its content is damaged, and Error where it has none. */
export async function readKeptAt(
  { kubeConfig, namespace }: Place,
  { name, release, inForce, notKept }: KeptRelease,
  sets: readonly RateSetObject[],
): Promise<ReadRelease> {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
  const packed = packedIn(await kubeOf(kubeConfig).get<V1ConfigMap>(reference))
  if (packed === undefined) throw new Error(`${name} has no content${notKept === undefined ? '' : `: ${notKept}`}`)
  const kept = await unpackRelease(Buffer.from(packed, 'base64'), release)
  const content = {
    release,
    sets: kept.map(({ entry, specText }) => ({ entry, spec: JSON.parse(specText) as RateSetSpec })),
  }
  return { content, attestations: attestationsOf(content, sets), inForce }
}

async function findKept(place: Place, asked: string | undefined): Promise<KeptRelease> {
  const kept = await listKept(place)
  const at = asked === undefined ? Date.now() : timeOf(asked)
  if (at !== undefined && at > Date.now())
    throw new WrongCall(`${asked} has not come yet: what will be known then is not known`)
  const found = at === undefined ? kept.find(({ release }) => release === asked) : inForceAt(kept, at)
  if (found) return found
  const known = kept.map(({ release }) => release).join(', ') || 'none'
  throw new WrongCall(
    `the namespace ${place.namespace} keeps no release ${asked ?? 'that is in force'}; kept: ${known}`,
  )
}

function attestationsOf({ sets }: BundleContent, objects: readonly RateSetObject[]): Record<string, string> {
  const digests = new Map(sets.map(({ entry }) => [entry.name, entry.digest]))
  return Object.fromEntries(
    objects.flatMap(({ metadata, status }): [string, string][] => {
      const tokens = [metadata.annotations?.[ATTESTATION_ANNOTATION], status?.attestation]
      const token = tokens.find((each) => each && digestIn(each) === digests.get(metadata.name))
      return token ? [[metadata.name, token]] : []
    }),
  )
}

function digestIn(token: string): unknown {
  try {
    return decodeJwt(token)['digest']
  } catch {
    return undefined
  }
}
