import { EVIDENCE } from '../engine/grade.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import type { Fault } from './fault.ts'
import { rulesOf } from './parts.ts'
import type { At, Subject } from './subject.ts'

const CHECK = 'review-dates'
const ESTIMATE: (typeof EVIDENCE)[number] = 'estimate'

/**
 * The dates of verification and review are plausible on a day, `today`, and figures that nobody has compared with a
 * source for the year of the set, such as those of a copied file, are estimates. This check serves authors of sets; a
 * cluster does not run it, and keeps using a set whatever the date.
 */
export const reviewFaults = (subject: Subject, today: string): Fault[] =>
  rulesOf(subject.spec).flatMap((rule) => ruleFaults(rule, subject, today))

function ruleFaults({ path, value }: At<Rule>, { year }: Subject, today: string): Fault[] {
  const { verifiedOn, reviewBy } = value.verification
  const at = (key: 'verifiedOn' | 'reviewBy', message: string): Fault[] => [
    { check: CHECK, path: `${path}.verification.${key}`, message },
  ]
  if (verifiedOn > today)
    return at('verifiedOn', `${verifiedOn} is after today, ${today}; expected the day of the comparison`)
  const latest = yearsAfter(verifiedOn, 2)
  if (reviewBy <= verifiedOn) return at('reviewBy', `${reviewBy} is not after ${verifiedOn}, the day of verifiedOn`)
  if (reviewBy > latest)
    return at('reviewBy', `${reviewBy} is more than two years after verifiedOn; expected a day to ${latest}`)
  return isEstimated(value) ? [] : copiedFaults(value.verification, year.start, at)
}

/** A figure that is not an estimate was compared with its source for the year that begins with `start`. */
function copiedFaults(
  { verifiedOn, reviewBy }: Rule['verification'],
  start: string,
  at: (key: 'verifiedOn' | 'reviewBy', message: string) => Fault[],
): Fault[] {
  const remedy = 'expected evidence estimate, or figures compared with their sources for this year, and'
  if (reviewBy < start)
    return at('reviewBy', `${reviewBy} is before ${start}, the first day of the set; ${remedy} a later reviewBy`)
  const earliest = yearsAfter(start, -1)
  if (verifiedOn >= earliest) return []
  const message = `${verifiedOn} is more than a year before ${start}, the first day of the set`
  return at('verifiedOn', `${message}; ${remedy} a verifiedOn from ${earliest}`)
}

/** Whether every figure of a rule is an estimate; a row or case may have a better grade than its rule. */
function isEstimated({ verification, cases }: Rule): boolean {
  const charges = cases.filter(({ charge }) => charge !== undefined)
  const rows = charges.flatMap(({ charge }) => charge?.table?.rows ?? [])
  const grades = [...charges, ...rows].map(({ evidence = verification.evidence }) => evidence)
  return [verification.evidence, ...grades].every((grade) => grade === ESTIMATE)
}

/**
 * The same day some years later. The result may be a 29 February that does not exist, which does no harm in
 * comparisons.
 */
const yearsAfter = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`
