import { isDeepStrictEqual } from 'node:util'
import { yearSuffix } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { OfficialPage } from './source-words.ts'
import { otherCases, type OtherCases } from './other-cases.ts'
import { runLength, spansOf, type Said, type Span } from './spans.ts'
import type { Statement } from './statements.ts'
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
  /** The case of a rule, in words, that says it. */
  case?: string
  role?: Statement['role']
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

/** What some rate sets say that others do not; `today`, ISO, tells corrections of the past from changes to come. */
export function changesOf(old: Sets, now: Sets, today: string): FigureChange[] {
  return codesOf([...old, ...now]).flatMap((pricingCode) => {
    const spans = spansOf(old, now, pricingCode)
    const changes = spans.flatMap((_, at) => differing(spans, at, pricingCode))
    return withMoves(changes).map((one) => ({ ...one, correction: one.from < today }))
  })
}

const codesOf = (sets: Sets): string[] => [...new Set(sets.map(({ pricingCode }) => pricingCode))].sort()

/** What begins to differ in a span. */
function differing(spans: readonly Span[], at: number, pricingCode: string): FigureChange[] {
  const { was, is } = spans[at]!
  if (was && is) return begun(spans, at).map((key) => changeOf(spans, at, key, pricingCode))
  if (is) return [...wholeSet(spans, at, 'is'), ...turning(spans, at, pricingCode)]
  return was ? wholeSet(spans, at, 'was') : []
}

const before = (spans: readonly Span[], at: number): Span | undefined => (at === 0 ? undefined : spans[at - 1])
const saidIn = (said: Said | undefined, key: string): string | undefined => comparable(said?.statements.get(key))

/** What of a statement is compared: of an order only the names of the parts. */
const comparable = (one: Statement | undefined): string | undefined => one?.order?.names.join(' | ') ?? one?.value

/** Whether two sides say otherwise. What each rule has, and where a band ends, goes without saying where the part begins or ends. */
function isOtherwise(old: Statement | undefined, now: Statement | undefined): boolean {
  const role = (now ?? old)?.role
  if (!old || !now) return role === undefined || role === 'condition'
  if (old.order && now.order) return !isOneOrder(old.order.names, now.order.names)
  return old.value !== now.value
}

/** Whether the parts that both lists have stand in the same order. */
function isOneOrder(old: readonly string[], now: readonly string[]): boolean {
  const kept = (list: readonly string[], other: readonly string[]) => list.filter((one) => other.includes(one))
  return isDeepStrictEqual(kept(old, now), kept(now, old))
}

/** The keys that differ in a span, and did not differ in the same way in the span before it. */
function begun(spans: readonly Span[], at: number): string[] {
  const { was, is } = spans[at]!
  const last = before(spans, at)
  // First whether they differ at all: most statements, of single postcodes, do not.
  return eitherKey(was!, is!).filter((key) => {
    if (!isOtherwise(was!.statements.get(key), is!.statements.get(key))) return false
    const [old, now] = [saidIn(was, key), saidIn(is, key)]
    return !(last?.was && last.is && saidIn(last.was, key) === old && saidIn(last.is, key) === now)
  })
}

/** The keys under which one of two sides says something, those of the later first. */
const eitherKey = (was: Said, is: Said): string[] => [
  ...is.statements.keys(),
  ...[...was.statements.keys()].filter((key) => !is.statements.has(key)),
]

function changeOf(spans: readonly Span[], at: number, key: string, pricingCode: string): FigureChange {
  const { was, is, from } = spans[at]!
  const [old, now] = [saidIn(was, key), saidIn(is, key)]
  const isSame = (span: Span) => covered(span) && saidIn(span.was, key) === old && saidIn(span.is, key) === now
  const next = at + runLength(spans, at, isSame)
  return {
    ...worded(pricingCode, was!.statements.get(key), is!.statements.get(key)),
    ...firstOf(was!, is!, key),
    ...otherCases(was!.statements.get(key), is!.statements.get(key), is!),
    ...period(spans, next, covered),
    from,
    ...courseOf(before(spans, at), spans[next], key, [old, now]),
  }
}

const covered = ({ was, is }: Span): boolean => was !== undefined && is !== undefined

/** The last day of the spans before `next`; nothing where no span that counts follows. */
function period(spans: readonly Span[], next: number, counts: (span: Span) => boolean) {
  return spans.slice(next).some(counts) ? { until: spans[next - 1]!.until } : {}
}

/** What a period means, by what both sides say before and after it. */
function courseOf(
  last: Span | undefined,
  next: Span | undefined,
  key: string,
  [old, now]: [string | undefined, string | undefined],
): { course?: Course; instead?: string } {
  if (!last || !covered(last)) return {}
  const bothSay = (span: Span | undefined, value: string | undefined) =>
    span !== undefined && covered(span) && saidIn(span.was, key) === value && saidIn(span.is, key) === value
  if (bothSay(last, old) && bothSay(next, now)) return { course: 'broughtForward' }
  if (!bothSay(last, now)) return {}
  if (bothSay(next, old)) return { course: 'postponed' }
  const other = insteadOf(next, key, old)
  return other ? { course: 'postponed', instead: toldOf(other) } : { course: 'cancelled' }
}

/** What begins in a span instead of `old`, which was announced and would still hold; an end is not postponed to a figure. */
function insteadOf(next: Span | undefined, key: string, old: string | undefined): Statement | undefined {
  const isStillDue = old !== undefined && next !== undefined && covered(next) && saidIn(next.was, key) === old
  return isStillDue ? next.is!.statements.get(key) : undefined
}

/** What the later side says in a span and did not say the day before. */
function turning(spans: readonly Span[], at: number, pricingCode: string): FigureChange[] {
  return turningsIn(spans, at).map(({ key, old, now, from, until }) => ({
    ...worded(pricingCode, old, now),
    ...firstOf(before(spans, at)!.is!, spans[at]!.is!, key),
    ...otherCases(old, now, spans[at]!.is!),
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

/** The statements of the later side that turn at the beginning of a span; none where either day is not covered. */
export function turningsIn(spans: readonly Span[], at: number): Turning[] {
  const { is, from } = spans[at]!
  const was = before(spans, at)?.is
  if (!was || !is) return []
  return eitherKey(was, is).flatMap((key) => {
    const [old, now] = [was.statements.get(key), is.statements.get(key)]
    if (!isOtherwise(old, now)) return []
    const next = at + runLength(spans, at, (span) => span.is !== undefined && saidIn(span.is, key) === comparable(now))
    return [{ key, old, now, from, ...period(spans, next, (span) => span.is !== undefined) }]
  })
}

/** Whether a figure is the first of its component: only then nothing was priced before. */
function firstOf(was: Said, is: Said, key: string): { isFirst?: true } {
  const now = is.statements.get(key)
  if (was.statements.has(key) || now?.kind !== 'rule' || now.about !== 'figure') return {}
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
  return { ...change, ...values, ...present(said, ['ruleId', 'official', 'case', 'role']) }
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

/** A set that only one side has, said in the first span of its year. */
function wholeSet(spans: readonly Span[], at: number, side: 'was' | 'is'): FigureChange[] {
  const { from, ...own } = spans[at]!
  const { pricingCode, financialYear } = own[side]!.spec
  const isOfSet = (span: Span) => !covered(span) && span[side]?.spec.financialYear === financialYear
  const last = before(spans, at)
  if (last && isOfSet(last)) return []
  const next = at + runLength(spans, at, isOfSet)
  const change = { pricingCode, component: 'set', kind: 'set' as const, about: 'terms' as const, sources: [] }
  const [old, now] = side === 'is' ? [null, 'published'] : ['published', null]
  const label = `rate set ${yearSuffix(financialYear)}`
  return [{ ...change, label, old, new: now, from, ...period(spans, next, (span) => span[side] !== undefined) }]
}
