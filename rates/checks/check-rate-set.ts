import type { Fault } from './fault.ts'
import { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { assumedValues } from './assumed-values.ts'
import { bandsRise } from './bands-rise.ts'
import { basesGiven } from './bases-given.ts'
import { casesReached } from './cases-reached.ts'
import { concessionsShaped } from './concessions-shaped.ts'
import { bounded, contained } from './contained.ts'
import { datesInYear, parameterDatesRise } from './dates-in-year.ts'
import { daysCovered, overlapsRanked, rulesReached } from './days-covered.ts'
import { divisorsPositive } from './divisors-positive.ts'
import { estimatesWarned } from './estimates-warned.ts'
import { upperBounds } from './upper-bounds.ts'
import { exactlyOne } from './exactly-one.ts'
import { examplesPass } from './examples-pass.ts'
import { expansionsBounded } from './expansions.ts'
import { gstShare } from './gst-share.ts'
import { importsPresent } from './imports-present.ts'
import { lastCaseOpen } from './last-case.ts'
import { missingDeclared } from './missing-declared.ts'
import { namesUnique } from './names-unique.ts'
import { noCycles } from './no-cycles.ts'
import { officialPage } from './official-page.ts'
import { referencesResolve } from './references-resolve.ts'
import { schemaFaults } from './schema.ts'
import { subjectOf, type Check } from './subject.ts'
import { tablesShaped } from './tables-shaped.ts'
import { termsOffered } from './terms-offered.ts'
import { quotableComplete, timeZoneKnown, yearsInARow } from './whole-set.ts'
import { postcodesOnce, zonesReached } from './zones-reached.ts'

/** The stages of a check, in order; a stage runs when those before it found nothing, because it builds on them. */
export const STAGES: readonly (readonly Check[])[] = [
  [yearsInARow, timeZoneKnown],
  [importsPresent, namesUnique, exactlyOne],
  [referencesResolve, noCycles],
  // The checks after this one may follow every name wherever it leads.
  [expansionsBounded],
  [
    datesInYear,
    parameterDatesRise,
    overlapsRanked,
    rulesReached,
    daysCovered,
    bandsRise,
    lastCaseOpen,
    basesGiven,
    casesReached,
    postcodesOnce,
    zonesReached,
    assumedValues,
    missingDeclared,
    estimatesWarned,
    upperBounds,
    officialPage,
    termsOffered,
    tablesShaped,
    concessionsShaped,
    divisorsPositive,
    gstShare,
    quotableComplete,
  ],
  [examplesPass],
]

/**
 * The faults of a rate set: of its shape, else of its names, else of its meaning, else of its examples; of very many
 * the first. Never throws. `imports` are the sets that it imports, of the same year, without faults of their own.
 */
export function checkRateSet(spec: unknown, imports: readonly RateSetSpec[]): Fault[] {
  const shape = schemaFaults(RateSetSpec, spec)
  if (shape.length > 0) return bounded(shape)
  const subject = subjectOf(spec as RateSetSpec, imports)
  for (const stage of STAGES) {
    const faults = stage.flatMap((check) => contained(check, subject))
    if (faults.length > 0) return bounded(faults)
  }
  return []
}
