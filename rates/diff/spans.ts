import { dayBefore } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { matchedParts, type Compared } from './match-parts.ts'
import { namedRules, rulesOn, type NamedRules } from './named-rules.ts'
import { splitRanges } from './split-ranges.ts'
import { postcodeStatements } from './postcode-statements.ts'
import { keyed, statementsOn, type Statement } from './statements.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'
import { beforeWithdrawal, subjectOn, turningDays } from './timeline.ts'

export type Statements = ReadonlyMap<string, Statement>

/** The statements of some sets about one pricing code. */
export interface SetStatements {
  spec: RateSetSpec
  statements: Statements
}

/**
 * A range of ISO days, both inclusive, during which no statement of either side begins or ends; undefined on a side
 * that no set covers.
 */
export interface Span {
  from: string
  until: string
  was: SetStatements | undefined
  is: SetStatements | undefined
  /** Set when the earlier side had withdrawn the set; `was` has its statements before that. */
  isAgain?: true
}

type Sets = readonly RateSetSpec[]

/** The spans of a pricing code in two groups of rate sets, in order and without gaps; the last span is not covered. */
export function spansOf(old: Sets, now: Sets, pricingCode: string, words: Vocabulary = AS_WRITTEN): Span[] {
  const before = old.map(beforeWithdrawal)
  const days = [...new Set([before, now].flatMap((sets) => turningDays(sets, pricingCode)))].sort()
  const named = namedBetween([before, now], pricingCode, days)
  const saidOn = (sets: Sets, day: string): SetStatements | undefined => {
    const subject = subjectOn(sets, pricingCode, day)
    return subject && { spec: subject.spec, statements: statementsOn(subject, day, words, named) }
  }
  const spans = days.map((from, at) => {
    const until = days[at + 1] === undefined ? from : dayBefore(days[at + 1]!)
    const was = saidOn(old, from)
    const is = now === old ? was : saidOn(now, from)
    const withdrawn = is && !was ? saidOn(before, from) : undefined
    return withdrawn ? { from, until, was: withdrawn, is, isAgain: true as const } : { from, until, was, is }
  })
  return withPostcodes(aligned(spans), words)
}

/** The rules that are named by their condition on every day of both sides. */
export function namedBetween(sides: readonly Sets[], pricingCode: string, days: readonly string[]): NamedRules {
  const subjects = sides.flatMap((sets) => days.map((day) => [subjectOn(sets, pricingCode, day), day] as const))
  return namedRules(subjects.flatMap(([subject, day]) => (subject ? [rulesOn(subject.spec, day)] : [])))
}

/** The spans with each part of a list under one name, on both sides and at all times. */
function aligned(spans: readonly Span[]): Span[] {
  const all = [...new Set(spans.flatMap(({ was, is }) => [was, is]))].filter((said) => said !== undefined)
  const positions = new Map(all.map((said, at) => [said, at]))
  const isOfParts = ([, one]: [string, Statement]) => one.places !== undefined || one.order !== undefined
  const entries = all.map(({ statements }) => [...statements])
  const versions = entries.map((version) => version.filter(isOfParts).map(([, one]) => one))
  const split = splitRanges(matchedParts(versions, comparedIn(spans, positions)))
  const merged = entries.map((version, at) => {
    const whole = [...version.filter((one) => !isOfParts(one)), ...keyed(split[at]!)]
    return KINDS.flatMap((kind) => whole.filter(([, one]) => one.kind === kind))
  })
  const done = new Map(all.map((said, at) => [said, { ...said, statements: new Map(merged[at]) }]))
  return spans.map(({ was, is, ...days }) => ({ ...days, was: was && done.get(was), is: is && done.get(is) }))
}

/** The spans with the zones of postcodes, which are the same on all days of a set. */
function withPostcodes(spans: readonly Span[], words: Vocabulary): Span[] {
  const postcodes = new Map<RateSetSpec, Statements>()
  const whole = new Map<SetStatements, SetStatements>()
  const completed = (said: SetStatements | undefined): SetStatements | undefined => {
    if (!said) return undefined
    const own = postcodes.get(said.spec) ?? postcodeStatements(said.spec, words)
    postcodes.set(said.spec, own)
    const known = whole.get(said) ?? { ...said, statements: new Map([...said.statements, ...own]) }
    whole.set(said, known)
    return known
  }
  return spans.map(({ was, is, ...days }) => ({ ...days, was: completed(was), is: completed(is) }))
}

const KINDS: readonly Statement['kind'][] = ['rule', 'parameter', 'concession', 'other']

/** Which versions are compared: both sides of a span, and each side with its earlier versions. */
function comparedIn(spans: readonly Span[], positions: ReadonlyMap<SetStatements, number>): Compared[] {
  const pairs = spans.flatMap(({ was, is }, at) => {
    const last = spans[at - 1]
    return [[was, is] as const, [last?.was, was] as const, [last?.is, is] as const]
  })
  return pairs.flatMap(([a, b]) => (a && b && a !== b ? [[positions.get(a)!, positions.get(b)!] as const] : []))
}

/** The last day of the spans before `next`; empty when no later span counts. */
export function period(spans: readonly Span[], next: number, counts: (span: Span) => boolean): { until?: string } {
  return spans.slice(next).some(counts) ? { until: spans[next - 1]!.until } : {}
}

/** The number of consecutive spans from `at` on that satisfy a test. */
export function runLength(spans: readonly Span[], at: number, holds: (span: Span) => boolean): number {
  const end = spans.findIndex((span, position) => position >= at && !holds(span))
  return (end === -1 ? spans.length : end) - at
}
