import { isWaiting } from '#crds/conditions.ts'
import { EXAMPLES_PASS, IMPORTS_PRESENT, type Fault } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { EVIDENCE } from '#rates/engine/grade.ts'
import { digestOf } from '#rates/published/canonical.ts'
import { shortHex } from '#rates/published/encode-rates.ts'
import { withoutPin } from '#rates/published/pin.ts'
import { yearDates } from '#rates/engine/dates.ts'
import { stampConditions, type WantedCondition } from '../status/conditions.ts'
import { loadedCondition, reconcilingCondition, type Content } from '../status/loaded-condition.ts'
import { unpublishedConditions, type FailingPublication } from '../status/unpublished.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import { isUnattested } from './checks.ts'
import { explained } from './explained.ts'
import type { Verdict } from './decide.ts'
import type { RateSetRecord } from './ledger.ts'
import { howToRestore } from './lost.ts'
import type { RateSetObject, RateSetStatus } from './object.ts'

export interface Seen {
  previous?: RateSetStatus
  processes: readonly ApiProcess[]
  /** The results of the last run for all sets. */
  records: ReadonlyMap<string, RateSetRecord>
  now: string
}

/** The status of a RateSet, computed from its object, its record and what the API processes serve. Pure. */
export function rateSetStatus(
  object: Pick<RateSetObject, 'metadata' | 'spec'>,
  record: RateSetRecord,
  circumstances: Seen,
): RateSetStatus {
  const { previous, now } = circumstances
  const digest = record.entry?.digest
  const loaded = loadedOf(object, record, circumstances)
  const judged = { ...record, verdict: explained(record.verdict, object.spec, circumstances.records) }
  // The newest content of a pinned set may never be published, so the examples and grades are those of the pinned
  // content.
  const content = record.pinned ?? object.spec
  const servedSince = servedSinceOf(previous, digest, loaded.status === 'True' ? now : undefined)
  return {
    observedGeneration: record.generation,
    conditions: stampConditions(previous?.conditions ?? [], conditions(judged, loaded, object.spec), {
      generation: record.generation,
      now,
    }),
    ...(digest !== undefined && publishedFields(digest, releaseOf(previous, record, digest))),
    ...(servedSince !== undefined && { servedSince }),
    ...(record.emergency && { emergency: record.emergency }),
    examples: examplesOf(content, record),
    covered: yearDates(object.spec.financialYear),
    evidence: evidenceOf(content),
  }
}

/** The status of a RateSet that waits while publications fail; what was published of the set before stays. Pure. */
export function unpublishedRateSetStatus(
  { metadata: { generation }, spec }: Pick<RateSetObject, 'metadata' | 'spec'>,
  failing: FailingPublication,
  { previous, now }: { previous: RateSetStatus | undefined; now: string },
): RateSetStatus {
  const before = previous?.conditions ?? []
  return {
    ...previous,
    observedGeneration: generation,
    conditions: stampConditions(before, unpublishedConditions(before, failing), { generation, now }),
    examples: summed(0, spec.examples?.length ?? 0),
    covered: yearDates(spec.financialYear),
    evidence: evidenceOf(spec),
  }
}

function conditions(record: RateSetRecord, loaded: WantedCondition, spec: RateSetSpec): WantedCondition[] {
  const { reason, faults } = record.verdict
  if (faults.length === 0) {
    const message = publishedMessage(record, spec)
    const ready = { type: 'Ready' as const, status: 'True' as const, reason, message }
    return [ready, publishedCondition(record), loaded, ...reconcilingCondition(loaded), ...emergencyCondition(record)]
  }
  const message = faultMessage(record)
  const because = { status: 'True' as const, reason, message }
  return [
    { ...because, type: 'Ready', status: 'False' },
    publishedCondition(record),
    loaded,
    { ...because, type: isWaiting(reason) ? 'Reconciling' : 'Stalled' },
    ...emergencyCondition(record),
  ]
}

function emergencyCondition({ emergency }: RateSetRecord): WantedCondition[] {
  if (!emergency) return []
  const { kid, reason, until } = emergency
  const message = `published without staging, by key ${kid}, until ${until}: ${reason}`
  return [{ type: 'Emergency', status: 'True', reason: 'EmergencyAttestation', message }]
}

function publishedCondition(record: RateSetRecord): WantedCondition {
  const { entry, verdict } = record
  if (!entry) {
    const reason = verdict.reason === 'Withdrawn' ? 'Withdrawn' : 'NotPublished'
    return { type: 'Published', status: 'False', reason, message: 'nothing of this set is published' }
  }
  if (record.isLost) return { type: 'Published', status: 'True', reason: 'ContentLost', message: howToRestore(entry) }
  const isHeld = verdict.faults.length > 0
  const message = isHeld ? `the last good content stays published: ${entry.digest}` : entry.digest
  const reason = isHeld ? 'LastGood' : verdict.reason === 'Pinned' ? 'Pinned' : 'Published'
  return { type: 'Published', status: 'True', reason, message }
}

function publishedMessage({ verdict, entry }: RateSetRecord, spec: RateSetSpec): string {
  if (verdict.reason === 'Pinned') {
    const isOther = entry?.specDigest !== digestOf(withoutPin(spec))
    return `pinned at ${entry?.digest}${isOther ? '; the object has different content, which is not published' : ''}`
  }
  return verdict.reason === 'Withdrawn' ? 'withdrawn' : `published as ${entry?.digest}`
}

function faultMessage({ verdict }: RateSetRecord): string {
  const first = verdict.faults[0] as Fault
  const more = verdict.faults.length - 1
  const at = first.path === '' ? 'spec' : `spec.${first.path}`
  const fault = `${at}: ${first.message} (${first.check})${more > 0 ? `; and ${more} more` : ''}`
  if (first.check === IMPORTS_PRESENT && verdict.other) return `waits for ${verdict.other}, which is ${first.message}`
  if (isUnattested(first.check)) return attestationMessage(verdict, first.message)
  if (verdict.reason === 'ImporterPinned')
    return `${verdict.other} imports this set and is pinned at a digest that includes the earlier content of this set`
  if (verdict.reason === 'BreaksImporter') return `would break ${verdict.other}: ${fault}`
  if (verdict.reason === 'ImportHeld') return `waits for ${verdict.other}, which is held: ${fault}`
  return fault
}

function attestationMessage({ reason, other }: Verdict, message: string): string {
  if (reason === 'ImportHeld') return `waits for ${other}, which is held: ${message}`
  return other ? `would be published with ${other}, which is not attested with it: ${message}` : message
}

function loadedOf(
  { metadata, spec }: Pick<RateSetObject, 'metadata' | 'spec'>,
  record: RateSetRecord,
  { previous, processes }: Seen,
): WantedCondition {
  const digest = record.entry?.digest
  const isSame = previous?.digest === digest
  const before = previous?.conditions.find(
    ({ type, observedGeneration }) => isSame && type === 'Loaded' && observedGeneration === record.generation,
  )
  const serves = ({ loaded }: ApiProcess) => loaded !== undefined && loaded.sets[metadata.name] === digest
  return loadedCondition({ before, content: contentOf(spec, record), processes, serves })
}

function contentOf(spec: RateSetSpec, { verdict, entry }: RateSetRecord): Content {
  // The current content of a withdrawn set is that it has none.
  if (verdict.faults.length === 0) return 'present'
  if (!entry) return 'none'
  // A stricter check can find a fault in content that is already published.
  return entry.specDigest === digestOf(withoutPin(spec)) ? 'present' : 'earlier'
}

/** The release in which this digest was published first; a later release that changes other sets does not count. */
function releaseOf(previous: RateSetStatus | undefined, record: RateSetRecord, digest: string): string {
  return previous?.digest === digest && previous.release !== undefined ? previous.release : record.release
}

/** When every process first served the digest; a new process or a restart of the operator does not change it. */
function servedSinceOf(previous: RateSetStatus | undefined, digest: string | undefined, now: string | undefined) {
  if (digest === undefined) return undefined
  return (previous?.digest === digest ? previous.servedSince : undefined) ?? now
}

function publishedFields(digest: string, release: string) {
  return { digest, shortDigest: shortHex(digest), release }
}

function examplesOf(spec: RateSetSpec, record: RateSetRecord): RateSetStatus['examples'] {
  const { passed, total } = countExamples(spec, record)
  return summed(passed, total)
}

const summed = (passed: number, total: number) => ({ passed, total, summary: `${passed}/${total}` })

/** With these reasons a set has passed its own checks, and the obstacle is a set that imports it. */
const PROVED: ReadonlySet<string> = new Set(['BreaksImporter', 'ImporterPinned'])

function countExamples(spec: RateSetSpec, { verdict }: RateSetRecord): { passed: number; total: number } {
  const total = spec.examples?.length ?? 0
  // Such a content has passed its own examples, as has one that only lacks an attestation.
  const isProved = PROVED.has(verdict.reason) || isUnattested(verdict.faults[0]?.check)
  if (verdict.faults.length === 0 || isProved) return { passed: total, total }
  // Examples are checked last: after a fault of any other check, none was run.
  const wereRun = verdict.faults.every(({ check }) => check === EXAMPLES_PASS)
  return { passed: wereRun ? total - verdict.faults.length : 0, total }
}

/** The number of figures of each evidence grade: each `evidence` in the spec counts once. */
function evidenceOf(value: unknown, counts: Record<string, number> = {}): Record<string, number> {
  if (Array.isArray(value)) for (const each of value) evidenceOf(each, counts)
  else if (value !== null && typeof value === 'object')
    for (const [key, each] of Object.entries(value)) {
      if (key === 'evidence' && isGrade(each)) counts[each] = (counts[each] ?? 0) + 1
      else evidenceOf(each, counts)
    }
  return counts
}

function isGrade(value: unknown): value is (typeof EVIDENCE)[number] {
  return (EVIDENCE as readonly unknown[]).includes(value)
}
