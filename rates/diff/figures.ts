import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { estimateOf, unofficialOf, firstOf, toldOf, worded, type Course, type FigureChange } from './figure-change.ts'
import { chargeOfCase, otherCases } from './other-cases.ts'
import { comparable, isOtherwise, isOtherwiseAsData } from './otherwise.ts'
import { isToldByAmounts, readAsData, readIn, type Topic } from './outcomes.ts'
import { isSameData } from './same-data.ts'
import { period, runLength, spansOf, type SetStatements, type Span } from './spans.ts'
import type { Statement } from './statements.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'
import { wholeSet } from './whole-sets.ts'
import { withMoves } from './zone-moves.ts'

type Sets = readonly RateSetSpec[]

/**
 * The statements of some rate sets that differ from those of others. `today`, ISO, separates corrections of the past
 * from future changes; `words` is the vocabulary of the readers.
 */
export function changesOf(
  old: Sets,
  now: Sets,
  today: string,
  wordsOf: (pricingCode: string) => Vocabulary = () => AS_WRITTEN,
): FigureChange[] {
  return codesOf([...old, ...now]).flatMap((pricingCode) => {
    if (isUnchanged(old, now, pricingCode)) return []
    const spans = spansOf(old, now, pricingCode, wordsOf(pricingCode))
    const changes = spans.flatMap((_, at) => differing(spans, at, pricingCode))
    return withMoves(changes).map((one) => ({ ...one, correction: one.from < today }))
  })
}

const codesOf = (sets: Sets): string[] => [...new Set(sets.map(({ pricingCode }) => pricingCode))].sort()

/** Whether both sides have the same sets of a pricing code, and of what these import: nothing has to be looked for then. */
function isUnchanged(old: Sets, now: Sets, pricingCode: string): boolean {
  const own = [...old, ...now].filter((set) => set.pricingCode === pricingCode)
  const codes = new Set([pricingCode, ...own.flatMap((set) => set.imports ?? [])])
  const [was, is] = [old, now].map((sets) => sets.filter((set) => codes.has(set.pricingCode)))
  return isSameData(was, is)
}

/** The differences that begin in a span. */
function differing(spans: readonly Span[], at: number, pricingCode: string): FigureChange[] {
  const { was, is } = spans[at]!
  const whole = wholeSet(spans, at, pricingCode)
  if (was && is) return [...whole, ...begun(spans, at).map((topic) => changeOf(spans, at, topic, pricingCode))]
  return is ? [...whole, ...turning(spans, at, pricingCode)] : whole
}

export const before = (spans: readonly Span[], at: number): Span | undefined => (at === 0 ? undefined : spans[at - 1])
const saidIn = (said: SetStatements | undefined, topic: Topic): string | undefined =>
  comparable(said && readIn(said, topic))

/** The topics that differ in a span and did not differ in the same way in the previous span. */
function begun(spans: readonly Span[], at: number): Topic[] {
  const [was, is] = [spans[at]!.was!, spans[at]!.is!]
  const last = before(spans, at)
  return eitherTopic(was, is).filter((topic) => {
    // The cheap test first: most statements, such as those of single postcodes, do not differ.
    if (!isOtherwise(readIn(was, topic), readIn(is, topic)) || isToldByAmounts(topic.one, was, is)) return false
    const [old, now] = [saidIn(was, topic), saidIn(is, topic)]
    return !(last?.was && last.is && saidIn(last.was, topic) === old && saidIn(last.is, topic) === now)
  })
}

/** The topics on which either side has a statement, in the order of the later side. */
export const eitherTopic = (was: SetStatements, is: SetStatements): Topic[] => [
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
    ...chargeOfCase(old, now, is),
    ...estimateOf(now, is),
    ...unofficialOf(now ?? old, now ? is : was),
    ...period(spans, next, covered),
    from,
    ...courseOf(before(spans, at), spans[next], topic, values),
  }
}

export const covered = ({ was, is }: Span): boolean => was !== undefined && is !== undefined

/** The meaning of a period, from the statements of both sides before and after it. */
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
  return other ? { course: 'postponed', instead: other.line?.amount ?? toldOf(other) } : { course: 'cancelled' }
}

/**
 * What begins in a span instead of `old`, which was announced and would still apply; an end is not postponed to a
 * figure.
 */
function insteadOf(next: Span | undefined, topic: Topic, old: string | undefined): Statement | undefined {
  const isStillDue = old !== undefined && next !== undefined && covered(next) && saidIn(next.was, topic) === old
  return isStillDue ? readIn(next.is!, topic) : undefined
}

/** The statements of the later side that begin in a span and did not apply the day before. */
function turning(spans: readonly Span[], at: number, pricingCode: string): FigureChange[] {
  const [was, is] = [before(spans, at)?.is, spans[at]!.is]
  if (!was || !is) return []
  const told = turningsIn(spans, at, IN_WORDS).filter(({ old, now }) => !isToldByAmounts((now ?? old)!, was, is))
  return told.map(({ old, now, from, until }) => ({
    ...worded(pricingCode, old, now),
    ...firstOf(was, old, now),
    ...otherCases(old, now, is),
    ...chargeOfCase(old, now, is),
    ...estimateOf(now, is),
    ...unofficialOf(now ?? old, now ? is : was),
    from,
    ...(until !== undefined && { until }),
  }))
}

/**
 * One statement that changes on a day: as it was the day before, and as it is until the last day on which it applies.
 */
export interface Turning {
  key: string
  old: Statement | undefined
  now: Statement | undefined
  from: string
  until?: string
}

/** How the statement of a set on a topic is read, and when two statements differ. */
interface Reading {
  read: (said: SetStatements, topic: Topic) => Statement | undefined
  isOtherwise: typeof isOtherwise
}

const IN_WORDS: Reading = { read: readIn, isOtherwise }

/** As data, an amount and the outcome of a case are separate. */
const AS_DATA: Reading = { read: readAsData, isOtherwise: isOtherwiseAsData }

/** The statements of the later side that change at the beginning of a span; none when either day is not covered. */
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
