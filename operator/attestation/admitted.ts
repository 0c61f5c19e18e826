import type { RateSetEntry } from '#rates/published/format.ts'
import type { Emergency } from '../rate-set/promotion.ts'

/** One content of a rate set that may be published here at any time. */
export interface Admission {
  digest: string
  /** When the content was last published, or was about to be; ISO time. */
  at: string
  /** The key that attested the content; absent when it was published before attestations were required. */
  kid?: string
  environment?: string
  /** When the content was attested; ISO time. */
  issuedAt?: string
  /** Present while the content is admitted by an emergency attestation and staging has not attested it. */
  emergency?: Emergency
}

/** How a content was admitted. */
export type Attestedness = Omit<Admission, 'digest' | 'at'>

/** By name of the rate set, the latest first. */
export type Admitted = Readonly<Record<string, readonly Admission[]>>

/** Keeps the whole record within one ConfigMap of 1 MiB. */
const KEPT_OF_ONE = 20
const KEPT_OF_ALL = 3000

/** Whether a content was admitted before. */
export function isAdmitted(admitted: Admitted, name: string, digest: string): boolean {
  return admitted[name]?.some((each) => each.digest === digest) ?? false
}

/** The admission of a content, if any. */
export function admissionOf(admitted: Admitted, name: string, digest: string): Admission | undefined {
  return admitted[name]?.find((each) => each.digest === digest)
}

/** The record without the emergencies that a normal attestation has ended; the same object when there are none. */
export function normalised(admitted: Admitted, ended: ReadonlyMap<string, Attestedness>): Admitted {
  const isEnded = ({ digest, emergency }: Admission) => emergency !== undefined && ended.has(digest)
  if (!Object.values(admitted).some((list) => list.some(isEnded))) return admitted
  const normal = (each: Admission): Admission =>
    isEnded(each) ? { digest: each.digest, at: each.at, ...ended.get(each.digest) } : each
  return Object.fromEntries(Object.entries(admitted).map(([name, list]) => [name, list.map(normal)]))
}

/** Puts the contents of an index first and drops the oldest beyond the limits; the same object when nothing changes. */
export function admit(
  admitted: Admitted,
  entries: readonly Pick<RateSetEntry, 'name' | 'digest'>[],
  admission: (name: string, digest: string) => Admission,
): Admitted {
  const changed = entries.filter(({ name, digest }) => admitted[name]?.[0]?.digest !== digest)
  if (changed.length === 0) return admitted
  const next: Record<string, readonly Admission[]> = { ...admitted }
  for (const { name, digest } of changed) {
    const known = next[name] ?? []
    const before = known.find((each) => each.digest === digest)
    const { at, ...attested } = admission(name, digest)
    const others = known.filter((each) => each.digest !== digest)
    next[name] = [{ ...attested, ...before, digest, at }, ...others].slice(0, KEPT_OF_ONE)
  }
  return bounded(next)
}

function bounded(admitted: Admitted): Admitted {
  const all = Object.values(admitted).flat()
  if (all.length <= KEPT_OF_ALL) return admitted
  const kept = new Set([...all].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, KEPT_OF_ALL))
  const sets = Object.entries(admitted).map(([name, list]) => [name, list.filter((each) => kept.has(each))] as const)
  return Object.fromEntries(sets.filter(([, list]) => list.length > 0))
}
