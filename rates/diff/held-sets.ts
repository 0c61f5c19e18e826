import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { digestOf } from '../published/canonical.ts'
import { rateSetName } from '../published/financial-year.ts'
import { withoutPin } from '../published/pin.ts'

/** One side of a comparison: some rate sets without faults, and their programs. */
export interface ComparedSide {
  label: string
  specs: readonly RateSetSpec[]
  snapshot: Snapshot
}

/** Why a changed set is not published as it is; at most one of these. */
export interface HoldReason {
  /**
   * The digest at which `spec.pin` of either side holds the set, when it is not the new digest; nothing new is
   * published.
   */
  pin?: string
  /**
   * A set that imports this one and is pinned at a digest other than its new one; nothing new is published of this set
   * either.
   */
  heldBy?: string
  /** An imported set that is held in one of these ways; its changes are not published with this set. */
  waitsFor?: string
  /** For a set that waits: whether only that import changes it, so that nothing new of it is published. */
  byImportAlone?: boolean
}

/** What holds a changed set back: its own pin, the pin of a set that imports it, or a held import. */
export function heldAt(name: string, old: ComparedSide, now: ComparedSide): HoldReason {
  const pin = pinOf(name, old, now)
  if (pin !== undefined && pin !== now.snapshot.digests[name]) return { pin }
  const importer = pinnedImporter(name, old, now)
  if (importer !== undefined) return { heldBy: importer }
  const spec = specOf(now, name)
  const waitsFor = spec?.imports
    ?.map((code) => rateSetName(code, spec.financialYear))
    .find((each) => old.snapshot.digests[each] !== now.snapshot.digests[each] && isHeld(heldAt(each, old, now)))
  if (!spec || waitsFor === undefined) return {}
  const before = specOf(old, name)
  return { waitsFor, byImportAlone: before !== undefined && contentOf(before) === contentOf(spec) }
}

export const isHeld = ({ pin, heldBy, waitsFor }: HoldReason): boolean => (pin ?? heldBy ?? waitsFor) !== undefined

export const specOf = ({ specs }: ComparedSide, name: string): RateSetSpec | undefined =>
  specs.find((one) => rateSetName(one.pricingCode, one.financialYear) === name)

const contentOf = (spec: RateSetSpec): string => digestOf(withoutPin(spec))

/**
 * The pin of a set. A pin on the old side alone still counts, because applying a file leaves fields alone that the file
 * lacks.
 */
const pinOf = (name: string, old: ComparedSide, now: ComparedSide): string | undefined =>
  (specOf(now, name) ?? specOf(old, name))?.withdrawn ? undefined : (specOf(now, name)?.pin ?? specOf(old, name)?.pin)

/**
 * A set that imports this one and is pinned at a digest other than its new one, which covers its imports. Its object
 * may have changed earlier, so the old side need not be what is published.
 */
function pinnedImporter(name: string, old: ComparedSide, now: ComparedSide): string | undefined {
  const own = specOf(now, name)
  return now.specs
    .filter((one) => one.financialYear === own?.financialYear && one.imports?.includes(own.pricingCode))
    .map((one) => rateSetName(one.pricingCode, one.financialYear))
    .find((one) => {
      const pin = pinOf(one, old, now)
      return pin !== undefined && old.snapshot.digests[one] !== undefined && pin !== now.snapshot.digests[one]
    })
}
