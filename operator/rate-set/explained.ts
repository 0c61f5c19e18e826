import { IMPORTS_PRESENT, type Fault } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { importCodes } from './checks.ts'
import type { Verdict } from './decide.ts'
import type { RateSetRecord } from './ledger.ts'

type Records = ReadonlyMap<string, RateSetRecord>

/**
 * An import that is applied but not published is not missing: the set waits for the import, and for what the import
 * waits for.
 */
export function explained(verdict: Verdict, spec: RateSetSpec, records: Records): Verdict {
  const first = missingImport(verdict)
  const awaited = first && awaitedImport(spec, records)
  if (!first || !awaited) return verdict
  const { other, message } = awaited
  return { ...verdict, reason: 'ImportHeld', other, faults: [{ ...first, message }] }
}

/**
 * The sets that are explained by the records of others, where these say something else than before: their own records may
 * be as they were.
 */
export function explainedAnew(
  before: Records,
  now: Records,
  specOf: (name: string) => RateSetSpec | undefined,
): string[] {
  return [...now].flatMap(([name, { verdict }]) => {
    // Few sets wait for an import; of the others, the objects are not looked at.
    const spec = missingImport(verdict) && specOf(name)
    if (!spec) return []
    const [earlier, present] = [before, now].map((records) => awaitedImport(spec, records))
    return earlier?.other === present?.other && earlier?.message === present?.message ? [] : [name]
  })
}

function missingImport({ faults: [first] }: Verdict): Fault | undefined {
  return first?.check === IMPORTS_PRESENT ? first : undefined
}

/** The first import that is applied and of which nothing is published, and why. */
function awaitedImport(spec: RateSetSpec, records: Records): { other: string; message: string } | undefined {
  const other = importCodes(spec)
    .map((code) => rateSetName(code, spec.financialYear))
    .find((name) => records.has(name) && !records.get(name)?.entry)
  return other === undefined ? undefined : { other, message: `held: ${records.get(other)?.verdict.reason}` }
}
