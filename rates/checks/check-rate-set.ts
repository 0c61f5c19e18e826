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

/**
 * The stages of a check, in order. A stage builds on the stages before it, so it runs only when they found no fault.
 */
export const STAGES: readonly (readonly Check[])[] = [
  [yearsInARow, timeZoneKnown],
  [importsPresent, namesUnique, exactlyOne],
  [referencesResolve, noCycles],
  // The checks of later stages may follow every name as far as it leads.
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
 * The faults of a rate set: those of its shape, or else of its names, or else of its meaning, or else of its examples;
 * at most the first `MOST_FAULTS`. Never throws. `imports` are the sets of the same year that it imports, which must
 * have no faults of their own.
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
