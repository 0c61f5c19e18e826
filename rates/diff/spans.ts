import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Subject } from './amounts.ts'
import { statementsOn, type Statement } from './statements.ts'
import { dayBefore, subjectOn, turningDays } from './timeline.ts'

export type Statements = ReadonlyMap<string, Statement>

/** What the sets of a process say of one pricing code. */
export interface Said {
  spec: RateSetSpec
  statements: Statements
}

/** Days, ISO and inclusive, on which neither side begins or ends to say anything; undefined where no set covers them. */
export interface Span {
  from: string
  until: string
  was: Said | undefined
  is: Said | undefined
}

type Sets = readonly RateSetSpec[]

/** The spans of a pricing code in two groups of rate sets, in order and without gaps; the last is not covered. */
export function spansOf(old: Sets, now: Sets, pricingCode: string): Span[] {
  const days = [...new Set([old, now].flatMap((sets) => turningDays(sets, pricingCode)))].sort()
  return days.map((from, at) => {
    const until = days[at + 1] === undefined ? from : dayBefore(days[at + 1]!)
    const was = saidOn(old, pricingCode, from)
    return { from, until, was, is: now === old ? was : saidOn(now, pricingCode, from) }
  })
}

function saidOn(sets: Sets, pricingCode: string, day: string): Said | undefined {
  const subject: Subject | undefined = subjectOn(sets, pricingCode, day)
  return subject && { spec: subject.spec, statements: statementsOn(subject, day) }
}

/** How many spans from `at` on satisfy a test, without a break. */
export function runLength(spans: readonly Span[], at: number, holds: (span: Span) => boolean): number {
  const end = spans.findIndex((span, position) => position >= at && !holds(span))
  return (end === -1 ? spans.length : end) - at
}
