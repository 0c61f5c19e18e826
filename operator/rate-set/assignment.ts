import type { Fault } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { digestOf } from '#rates/published/canonical.ts'
import { rateSetDigest, type ImportedSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { importCodes } from './checks.ts'

/** Which content of a set is chosen: that of its object, the last good one, or none. */
export type Version = 'new' | 'lastGood' | 'none'

/** The contents of one rate set to choose from. */
export interface Candidate {
  name: string
  /** Content of the object; absent when there is no object. */
  spec?: RateSetSpec
  /** The published content. */
  lastGood?: RateSetSpec
  /** The digest of what is published, when the content is lost and `lastGood` is a placeholder. */
  lostDigest?: string
  /** The digest at which the object pins the set. */
  pin?: string
  /** The digest of what is published. */
  publishedDigest?: string
  /** The attestation annotation of the object, unchecked. */
  attestation?: string
}

/** A choice for every set; a set without one has no content. */
export interface Assignment {
  get(name: string): Version | undefined
}

/** An assignment in which some sets have another version. It is a view, because copying for each question costs n². */
export function replaced(base: Assignment, names: readonly string[], version: Version): Assignment {
  const others = new Set(names)
  return { get: (name) => (others.has(name) ? version : base.get(name)) }
}

/** The contents to choose from, by name, and what follows from a choice. */
export class Contents {
  readonly candidates: ReadonlyMap<string, Candidate>

  constructor(candidates: readonly Candidate[]) {
    this.candidates = new Map(candidates.map((each) => [each.name, each]))
  }

  /** The spec of a set under an assignment. */
  spec(name: string, assignment: Assignment): RateSetSpec | undefined {
    const candidate = this.candidates.get(name)
    const version = assignment.get(name) ?? 'none'
    if (version === 'none') return undefined
    return version === 'new' ? candidate?.spec : candidate?.lastGood
  }

  /** Names of the existing sets that a set imports, directly or indirectly; imports come before their importers. */
  imports(name: string, assignment: Assignment): string[] {
    const found = new Set<string>()
    const visited = new Set([name])
    const visit = (importer: string): void => {
      for (const { name: imported } of this.#importNames(importer, assignment)) {
        if (visited.has(imported)) continue
        visited.add(imported)
        visit(imported)
        if (this.candidates.has(imported)) found.add(imported)
      }
    }
    visit(name)
    return [...found]
  }

  /** The direct imports of a set under an assignment, each with its own attested digest. */
  importedSets(name: string, assignment: Assignment): ImportedSet[] {
    return this.#importedSets(name, assignment, new Map([[name, undefined]]))
  }

  /** The attested digest of a set under an assignment. */
  digest(name: string, assignment: Assignment): string {
    return this.#digest(name, assignment, new Map())
  }

  /**
   * `digests` has the known digests, each computed once however many sets import it; undefined marks one in progress.
   */
  #digest(name: string, assignment: Assignment, digests: Map<string, string | undefined>): string {
    const known = digests.get(name)
    if (known !== undefined) return known
    const spec = this.spec(name, assignment)
    if (!spec) return ''
    const { lostDigest } = this.candidates.get(name) ?? {}
    if (lostDigest !== undefined && assignment.get(name) === 'lastGood') return lostDigest
    digests.set(name, undefined)
    const digest = attestedDigest(spec, this.#importedSets(name, assignment, digests))
    digests.set(name, digest)
    return digest
  }

  #importedSets(name: string, assignment: Assignment, digests: Map<string, string | undefined>): ImportedSet[] {
    return this.#importNames(name, assignment).flatMap(({ name: imported, pricingCode }) => {
      // A check reports the cycle; here it only must not recurse for ever.
      const isUnderWay = digests.has(imported) && digests.get(imported) === undefined
      if (isUnderWay || !this.spec(imported, assignment)) return []
      return [{ name: imported, pricingCode, digest: this.#digest(imported, assignment, digests) }]
    })
  }

  #importNames(name: string, assignment: Assignment): { name: string; pricingCode: string }[] {
    const spec = this.spec(name, assignment)
    if (!spec) return []
    return importCodes(spec).map((pricingCode) => ({ name: rateSetName(pricingCode, spec.financialYear), pricingCode }))
  }

  /** Whether the object's content differs from the last good one. */
  differs(name: string): boolean {
    const { spec, lastGood } = this.candidates.get(name) ?? {}
    if (!spec || !lastGood) return spec !== lastGood
    return specDigest(spec) !== specDigest(lastGood)
  }
}

/** Digests of specs in use: hashing a set takes a millisecond, and there may be hundreds. */
const specDigests = new WeakMap<RateSetSpec, string>()
const attestedDigests = new WeakMap<RateSetSpec, Map<string, string>>()

function specDigest(spec: RateSetSpec): string {
  const digest = specDigests.get(spec) ?? digestOf(spec)
  specDigests.set(spec, digest)
  return digest
}

function attestedDigest(spec: RateSetSpec, imports: readonly ImportedSet[]): string {
  const key = imports.map((each) => `${each.pricingCode}=${each.digest}`).join(' ')
  const known = attestedDigests.get(spec) ?? new Map<string, string>()
  const digest = known.get(key) ?? rateSetDigest(spec, imports)
  attestedDigests.set(spec, known.set(key, digest))
  return digest
}

/** A content that a run does not judge: its status is not updated, and it keeps what is published. */
export const POSTPONED = Symbol('postponed')

/** The faults that the checks find in a set, or that a later run judges it. */
export type Finding = Fault[] | typeof POSTPONED

export const passes = (finding: Finding): boolean => finding !== POSTPONED && finding.length === 0

/** Checks one set as a candidate of publication. */
export type Evaluate = (name: string, assignment: Assignment) => Promise<Finding>

/** The checks of one publication run, over the contents that the run chooses from. */
export type MakeEvaluate = (contents: Contents) => Evaluate
