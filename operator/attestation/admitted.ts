import type { RateSetEntry } from '#rates/published/format.ts'
import type { Emergency } from '../rate-set/promotion.ts'

/** One content of a rate set that may be published here at any time. */
export interface Admission {
  digest: string
  /** When it was last published, or about to be, ISO. */
  at: string
  /** The key that attested it; absent where it was published before attestations were asked for. */
  kid?: string
  environment?: string
  /** When it was attested, ISO. */
  issuedAt?: string
  /** Set where an emergency attestation admitted it, until staging has attested it too. */
  emergency?: Emergency
}

/** By what a content was admitted. */
export type Attestedness = Omit<Admission, 'digest' | 'at'>

/** By name of the rate set, the latest first. */
export type Admitted = Readonly<Record<string, readonly Admission[]>>

/** So that all of them fit into one ConfigMap of 1 MiB. */
const KEPT_OF_ONE = 20
const KEPT_OF_ALL = 3000

/** Whether a content was admitted before. */
export function isAdmitted(admitted: Admitted, name: string, digest: string): boolean {
  return admitted[name]?.some((each) => each.digest === digest) ?? false
}

/** What the record says of a content. */
export function admissionOf(admitted: Admitted, name: string, digest: string): Admission | undefined {
  return admitted[name]?.find((each) => each.digest === digest)
}

/** The record without the emergencies that a normal attestation has ended; the same value where there is none. */
export function normalised(admitted: Admitted, ended: ReadonlyMap<string, Attestedness>): Admitted {
  const isEnded = ({ digest, emergency }: Admission) => emergency !== undefined && ended.has(digest)
  if (!Object.values(admitted).some((list) => list.some(isEnded))) return admitted
  const normal = (each: Admission): Admission =>
    isEnded(each) ? { digest: each.digest, at: each.at, ...ended.get(each.digest) } : each
  return Object.fromEntries(Object.entries(admitted).map(([name, list]) => [name, list.map(normal)]))
}

/** The contents of an index put first, the oldest beyond the bounds left out; the same value where nothing changes. */
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
