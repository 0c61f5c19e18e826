import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '../engine/snapshot.ts'
import { rateSetName } from '../published/financial-year.ts'
import { beforeWithdrawal } from './timeline.ts'

interface Side {
  specs: readonly RateSetSpec[]
  snapshot: Snapshot
}

/**
 * The old side before it withdrew the sets that the new side publishes again; undefined when none is published again.
 */
export function withReturned(old: Side, now: Side): Side | undefined {
  const specs = old.specs.map((one) => (returns(one, old, now) ? beforeWithdrawal(one) : one))
  if (specs.every((one, at) => one === old.specs[at])) return undefined
  const { digests, release } = old.snapshot
  const sets = specs.map((spec) => {
    const name = nameOf(spec)
    const imports = specs.filter((one) => isImportOf(spec, one)).map(nameOf)
    const digestsOf = imports.map((each) => [each, digests[each] ?? 'withdrawn'])
    return { name, spec, digest: digests[name] ?? 'withdrawn', imports: Object.fromEntries(digestsOf) }
  })
  return { specs, snapshot: buildSnapshot({ release, sets }, old.snapshot) }
}

const nameOf = ({ pricingCode, financialYear }: RateSetSpec) => rateSetName(pricingCode, financialYear)

const isImportOf = (spec: RateSetSpec, one: RateSetSpec): boolean =>
  one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode) === true

/** Whether a set is withdrawn on the old side only, and both sides have everything that it imports. */
function returns(spec: RateSetSpec, old: Side, now: Side): boolean {
  const isPublished = (one: RateSetSpec) => nameOf(one) === nameOf(spec) && !one.withdrawn
  if (spec.withdrawn !== true || !now.specs.some(isPublished)) return false
  const known = old.specs.filter((one) => isImportOf(spec, one) && (!one.withdrawn || returns(one, old, now)))
  return (spec.imports ?? []).every((code) => known.some(({ pricingCode }) => pricingCode === code))
}
