import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { ConditionParts } from './condition-words.ts'
import type { OfficialPage } from './source-words.ts'
import { otherCases, type OtherCases } from './other-cases.ts'
import { comparable, isOtherwise, isOtherwiseAsData } from './otherwise.ts'
import { isToldByAmounts, readAsData, readIn, type Topic } from './outcomes.ts'
import { period, runLength, spansOf, type Said, type Span } from './spans.ts'
import type { Statement } from './statements.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'
import { wholeSet } from './whole-sets.ts'
import { withMoves } from './zone-moves.ts'

/** One thing that is said otherwise than before, in a period; null where it was not or is no longer said. */
export interface FigureChange {
  pricingCode: string
  component: string
  kind: Statement['kind'] | 'set'
  ruleId?: string
  label: string
  about: Statement['about']
  old: string | null
  new: string | null
  /** First day, ISO, on which it is so. */
  from: string
  /** Last day, ISO, on which it is so; absent where it is so to the last day that the sets cover. */
  until?: string
  course?: Course
  /** Of what is postponed and begins otherwise than announced: what begins after the last day. */
  instead?: string
  /** Titles, the official ones first; of what is said now, or was. */
  sources: readonly string[]
  /** The first official page; null where there is none, absent where nothing is known of sources. */
  official?: OfficialPage | null
  /** What of the component it is, such as `flat`, `round` or `outcome`; absent of whole sets. */
  key?: string
  /** The label without the words of the case and of the rule, where it has such. */
  what?: string
  /** The rule and the case that say it, each by its condition; absent where there is only one. */
  titles?: Statement['titles']
  /** Of two lists: their parts. */
  parts?: readonly [readonly string[], readonly string[]]
  /** Of an outcome that was: what stood in the place of an amount. */
  brief?: string
  /** Of a whole set, `2026-2027`. */
  financialYear?: string
  /** Of a condition that changes: its parts before and after. */
  conditions?: readonly [ConditionParts, ConditionParts]
  /** Of postcodes that move alike: ranges of them. */
  postcodes?: readonly string[]
  /** The case of a rule, in words, that says it. */
  case?: string
  role?: Statement['role']
  /** Whether one side says it in another case, under which falls what the case of the other side applied to. */
  isOfOther?: true
  /** Of the condition of a case that ends: what the rule says still. */
  otherCases?: OtherCases
  /** Whether no amount of the component was said before. */
  isFirst?: true
  /** Whether it reaches days before today: what was quoted for them would be quoted otherwise. */
  correction?: boolean
}

/**
 * What a period means where a figure turns at its edge anyway: what was to begin on its first day begins on the day after
 * it, what was to begin on the day after it begins on its first day, or what was to begin on its first day does not begin.
 */
export type Course = 'postponed' | 'broughtForward' | 'cancelled'

type Sets = readonly RateSetSpec[]

/** What some rate sets say that others do not; `today`, ISO, tells corrections of the past from changes to come. `words`: of whom it is told. */
export function changesOf(old: Sets, now: Sets, today: string, words: Vocabulary = AS_WRITTEN): FigureChange[] {
  return codesOf([...old, ...now]).flatMap((pricingCode) => {
    const spans = spansOf(old, now, pricingCode, words)
    const changes = spans.flatMap((_, at) => differing(spans, at, pricingCode))
    return withMoves(changes).map((one) => ({ ...one, correction: one.from < today }))
  })
}

const codesOf = (sets: Sets): string[] => [...new Set(sets.map(({ pricingCode }) => pricingCode))].sort()

/** What begins to differ in a span. */
function differing(spans: readonly Span[], at: number, pricingCode: string): FigureChange[] {
  const { was, is } = spans[at]!
  const whole = wholeSet(spans, at, pricingCode)
  if (was && is) return [...whole, ...begun(spans, at).map((topic) => changeOf(spans, at, topic, pricingCode))]
  return is ? [...whole, ...turning(spans, at, pricingCode)] : whole
}

const before = (spans: readonly Span[], at: number): Span | undefined => (at === 0 ? undefined : spans[at - 1])
const saidIn = (said: Said | undefined, topic: Topic): string | undefined => comparable(said && readIn(said, topic))

/** What differs in a span, and did not differ in the same way in the span before it. */
function begun(spans: readonly Span[], at: number): Topic[] {
  const [was, is] = [spans[at]!.was!, spans[at]!.is!]
  const last = before(spans, at)
  return eitherTopic(was, is).filter((topic) => {
    // First whether they differ at all: most statements, of single postcodes, do not.
    if (!isOtherwise(readIn(was, topic), readIn(is, topic)) || isToldByAmounts(topic.one, was, is)) return false
    const [old, now] = [saidIn(was, topic), saidIn(is, topic)]
    return !(last?.was && last.is && saidIn(last.was, topic) === old && saidIn(last.is, topic) === now)
  })
}

/** What one of two sides says something of, as the later says it first. */
const eitherTopic = (was: Said, is: Said): Topic[] => [
  ...[...is.statements].map(([key, one]) => ({ key, one, of: is })),
  ...[...was.statements].flatMap(([key, one]) => (is.statements.has(key) ? [] : [{ key, one, of: was }])),
]

function changeOf(spans: readonly Span[], at: number, topic: Topic, pricingCode: string): FigureChange {
  const { from, ...sides } = spans[at]!
  const [was, is] = [sides.was!, sides.is!]
  const [old, now] = [readIn(was, topic), readIn(is, topic)]
  const values = [comparable(old), comparable(now)] as const
  const isSame = (span: Span) =>
    covered(span) && saidIn(span.was, topic) === values[0] && saidIn(span.is, topic) === values[1]
  const next = at + runLength(spans, at, isSame)
  return {
    ...worded(pricingCode, old, now),
    ...firstOf(was, old, now),
    ...otherCases(old, now, is),
    ...period(spans, next, covered),
    from,
    ...courseOf(before(spans, at), spans[next], topic, values),
  }
}

const covered = ({ was, is }: Span): boolean => was !== undefined && is !== undefined

/** What a period means, by what both sides say before and after it. */
function courseOf(
  last: Span | undefined,
  next: Span | undefined,
  topic: Topic,
  [old, now]: readonly [string | undefined, string | undefined],
): { course?: Course; instead?: string } {
  if (!last || !covered(last)) return {}
  const bothSay = (span: Span | undefined, value: string | undefined) =>
    span !== undefined && covered(span) && saidIn(span.was, topic) === value && saidIn(span.is, topic) === value
  if (bothSay(last, old) && bothSay(next, now)) return { course: 'broughtForward' }
  if (!bothSay(last, now)) return {}
  if (bothSay(next, old)) return { course: 'postponed' }
  const other = insteadOf(next, topic, old)
  return other ? { course: 'postponed', instead: toldOf(other) } : { course: 'cancelled' }
}

/** What begins in a span instead of `old`, which was announced and would still hold; an end is not postponed to a figure. */
function insteadOf(next: Span | undefined, topic: Topic, old: string | undefined): Statement | undefined {
  const isStillDue = old !== undefined && next !== undefined && covered(next) && saidIn(next.was, topic) === old
  return isStillDue ? readIn(next.is!, topic) : undefined
}

/** What the later side says in a span and did not say the day before. */
function turning(spans: readonly Span[], at: number, pricingCode: string): FigureChange[] {
  const [was, is] = [before(spans, at)?.is, spans[at]!.is]
  if (!was || !is) return []
  const told = turningsIn(spans, at, IN_WORDS).filter(({ old, now }) => !isToldByAmounts((now ?? old)!, was, is))
  return told.map(({ old, now, from, until }) => ({
    ...worded(pricingCode, old, now),
    ...firstOf(was, old, now),
    ...otherCases(old, now, is),
    from,
    ...(until === undefined ? {} : { until }),
  }))
}

/** One statement that turns on a day: as it was the day before, and as it is until the last day on which it is so. */
export interface Turning {
  key: string
  old: Statement | undefined
  now: Statement | undefined
  from: string
  until?: string
}

/** How what a set says of a topic is read, and when two sides say otherwise. */
interface Reading {
  read: (said: Said, topic: Topic) => Statement | undefined
  isOtherwise: typeof isOtherwise
}

const IN_WORDS: Reading = { read: readIn, isOtherwise }

/** As data, an amount and the outcome of a case are two things. */
const AS_DATA: Reading = { read: readAsData, isOtherwise: isOtherwiseAsData }

/** The statements of the later side that turn at the beginning of a span; none where either day is not covered. */
export function turningsIn(spans: readonly Span[], at: number, { read, isOtherwise: differs } = AS_DATA): Turning[] {
  const { is, from } = spans[at]!
  const was = before(spans, at)?.is
  if (!was || !is) return []
  return eitherTopic(was, is).flatMap((topic) => {
    const [old, now] = [read(was, topic), read(is, topic)]
    if (!differs(old, now)) return []
    const value = comparable(now)
    const isSame = (span: Span) => span.is !== undefined && comparable(read(span.is, topic)) === value
    const next = at + runLength(spans, at, isSame)
    return [{ key: topic.key, old, now, from, ...period(spans, next, (span) => span.is !== undefined) }]
  })
}

/** Whether a figure is the first of its component: only then nothing was priced before. */
function firstOf(was: Said, old: Statement | undefined, now: Statement | undefined): { isFirst?: true } {
  if (old || now?.kind !== 'rule' || now.about !== 'figure') return {}
  const isPriced = [...was.statements.values()].some(
    ({ kind, component, about }) => kind === 'rule' && component === now.component && about === 'figure',
  )
  return isPriced ? {} : { isFirst: true }
}

/** A change in the words of the later statement, or of the earlier where nothing is said any more. */
function worded(
  pricingCode: string,
  old: Statement | undefined,
  now: Statement | undefined,
): Omit<FigureChange, 'from'> {
  const { component, kind, label, about, sources, told, ...said } = (now ?? old)!
  const change = { pricingCode, component, kind, label: told?.label ?? label, about, sources }
  const values = { old: old ? toldOf(old) : null, new: now ? toldOf(now) : null }
  return {
    ...change,
    ...values,
    ...present(said, ['key', 'ruleId', 'official', 'case', 'role', 'titles', 'what']),
    ...present(told ?? {}, ['what']),
    ...(old?.parts && now?.parts && { parts: [old.parts, now.parts] as const }),
    ...present(old ?? {}, ['brief']),
    ...conditionsOf(old, now),
  }
}

/** The parts of a condition before and after; of what falls under another case, that it does. */
function conditionsOf(
  old: Statement | undefined,
  now: Statement | undefined,
): Pick<FigureChange, 'conditions' | 'isOfOther'> {
  if (old?.isOfOther || now?.isOfOther) return { isOfOther: true }
  return old?.condition && now?.condition ? { conditions: [old.condition, now.condition] } : {}
}

/** Those of some fields that are there. */
function present<K extends keyof Statement>(
  said: Pick<Statement, K>,
  names: readonly K[],
): Partial<Pick<Statement, K>> {
  const found = names.filter((name) => said[name] !== undefined).map((name) => [name, said[name]])
  return Object.fromEntries(found) as Partial<Pick<Statement, K>>
}

const toldOf = ({ told, value }: Statement): string => told?.value ?? value
