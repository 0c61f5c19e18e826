import { CLIENT_SECRET_TYPE } from '#crds/showroom-client.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'

/** What a write of a status needs of a stored object. */
export interface Stored {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace: string; uid: string; resourceVersion: string }
}

// Each object is as large as the operator's and has the same fields: the server keeps the owner of each field beside it. The
// bench compares the sizes.

/** The name of the client with this number, from 0. */
export const clientName = (index: number): string => `client-${String(index).padStart(5, '0')}`

export function clientOf(name: string) {
  const spec = { displayName: name, showroomCodes: ['MEL01'], grants: [], credentials: [{ secretRef: { name } }] }
  return { metadata: { name }, spec }
}

export const setOf = (spec: RateSetSpec) => ({
  metadata: { name: rateSetName(spec.pricingCode, spec.financialYear) },
  spec,
})

/** As long as a secret of 256 bits in base64url, with a mark of 16 characters. */
export function secretOf(name: string) {
  const data = { clientSecret: Buffer.from('x'.repeat(43)).toString('base64') }
  const annotations = { 'rates.driveaway.dev/generated': '0'.repeat(16) }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, annotations }, type: CLIENT_SECRET_TYPE, data }
}

export function shardOf(spec: RateSetSpec) {
  const { name } = setOf(spec).metadata
  const shard = { formatVersion: 2, kind: 'rates', of: name, part: 0, parts: 1, text: JSON.stringify(spec) }
  const labels = { 'rates.driveaway.dev/published': 'none', 'rates.driveaway.dev/sequence': '100' }
  const metadata = { name: `rates-v2-${name}-${'0'.repeat(12)}`, labels }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    immutable: true,
    data: { 'shard.json': JSON.stringify(shard) },
  }
}

export function eventOf({ apiVersion, kind, metadata }: Stored) {
  return {
    ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { generateName: `${metadata.name}-` } },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    ...{ reportingController: 'rates.driveaway.dev/bare-loop', reportingInstance: 'bare-loop', action: 'Ready' },
    ...{ reason: 'Published', type: 'Normal', note: `Ready=True: ${PUBLISHED_AS}` },
    regarding: { apiVersion, kind, ...metadata },
  }
}

const DIGEST = `sha256:${'0'.repeat(64)}`
const PUBLISHED_AS = `published as ${DIGEST}`

/** The status of a client or of a set that no API process has loaded. */
export function statusOf(kind: string) {
  return kind === 'RateSet' ? setStatus() : { observedGeneration: 1, conditions: conditions('published', 'published') }
}

function setStatus() {
  return {
    observedGeneration: 1,
    conditions: conditions(PUBLISHED_AS, DIGEST),
    ...{ digest: DIGEST, shortDigest: '0'.repeat(12), release: DIGEST },
    examples: { passed: 1, total: 1, summary: '1/1' },
    covered: { startDate: '2026-07-01', endDate: '2027-06-30' },
    evidence: { official: 2 },
  }
}

function conditions(ready: string, published: string) {
  const stamp = { observedGeneration: 1, lastTransitionTime: new Date().toISOString() }
  return [
    { type: 'Ready', status: 'True', reason: 'Published', message: ready, ...stamp },
    { type: 'Published', status: 'True', reason: 'Published', message: published, ...stamp },
    { type: 'Loaded', status: 'Unknown', reason: 'NoProcesses', message: '0/0', ...stamp },
  ]
}
