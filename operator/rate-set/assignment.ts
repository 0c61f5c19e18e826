import type { Fault } from '#rates/engine/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { digestOf } from '#rates/published/canonical.ts'
import { rateSetDigest, type ImportedSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { importCodes } from './checks.ts'

/** Which content of a set is taken: that of its object, the last good one, or none. */
export type Version = 'new' | 'lastGood' | 'none'

/** One rate set's contents to choose from. */
export interface Candidate {
  name: string
  /** Of the object; absent when there is no object. */
  spec?: RateSetSpec
  /** What is published. */
  lastGood?: RateSetSpec
  /** The annotation of its object, as it stands there. */
  attestation?: string
}

/** One choice for every set. */
export type Assignment = ReadonlyMap<string, Version>

/** The contents to choose from, by name, and what a choice means for each. */
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

  /** Names of the sets that a set imports, its imports' imports first, without those that are not there. */
  imports(name: string, assignment: Assignment, path: readonly string[] = []): string[] {
    const spec = this.spec(name, assignment)
    if (!spec || path.includes(name)) return []
    const found = new Set<string>()
    for (const code of importCodes(spec)) {
      const imported = rateSetName(code, spec.financialYear)
      if (imported === name || path.includes(imported)) continue
      for (const deeper of this.imports(imported, assignment, [...path, name])) found.add(deeper)
      if (this.candidates.has(imported)) found.add(imported)
    }
    return [...found]
  }

  /** The direct imports of a set under an assignment, each with its own attested digest. */
  importedSets(name: string, assignment: Assignment, path: readonly string[] = []): ImportedSet[] {
    const spec = this.spec(name, assignment)
    return (spec ? importCodes(spec) : []).flatMap((pricingCode) => {
      const imported = rateSetName(pricingCode, spec?.financialYear ?? '')
      // A cycle is a fault that a check names; here it must only not run for ever.
      if (imported === name || path.includes(imported) || !this.spec(imported, assignment)) return []
      return [{ name: imported, pricingCode, digest: this.digest(imported, assignment, [...path, name]) }]
    })
  }

  /** The attested digest of a set under an assignment. */
  digest(name: string, assignment: Assignment, path: readonly string[] = []): string {
    const spec = this.spec(name, assignment)
    if (!spec) return ''
    const imports = this.importedSets(name, assignment, path)
    return attestedDigest(spec, imports)
  }

  /** Whether the object's content is another than the last good one. */
  differs(name: string): boolean {
    const { spec, lastGood } = this.candidates.get(name) ?? {}
    if (!spec || !lastGood) return spec !== lastGood
    return specDigest(spec) !== specDigest(lastGood)
  }
}

/** Digests of specs that are still in use: hashing a set takes a millisecond, and there may be hundreds. */
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

/** Checks one set as a candidate of publication. */
export type Evaluate = (name: string, assignment: Assignment) => Promise<Fault[]>
