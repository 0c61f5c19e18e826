import { yearSuffix } from '../engine/dates.ts'
import { period, runLength, type Span } from './spans.ts'

/** What becomes of a whole rate set, and the side that has it. */
const BECOMES = {
  published: { side: 'is', old: null, now: 'published' },
  withdrawn: { side: 'was', old: 'published', now: null },
  again: { side: 'is', old: 'withdrawn', now: 'published again' },
} as const

/** That a whole rate set begins or ends to be published. */
interface SetChange extends Whole {
  pricingCode: string
  component: 'set'
  kind: 'set'
  about: 'terms'
  label: string
  financialYear: string
  /** First and last day, ISO, on which it is so. */
  from: string
  until?: string
  sources: readonly string[]
}

interface Whole {
  kind: string
  old: string | null
  new: string | null
}

/** Whether a change is that of a set which was not published before. */
export const isFirstPublished = ({ kind, old, new: now }: Whole): boolean =>
  kind === 'set' && old === null && now !== null

/** Whether a change is that of a set which was withdrawn before. */
export const isPublishedAgain = ({ kind, old, new: now }: Whole): boolean =>
  kind === 'set' && old !== null && now !== null

function becomes({ was, is, isAgain }: Span): keyof typeof BECOMES | undefined {
  if (isAgain) return 'again'
  if (was && is) return undefined
  return is ? 'published' : was && 'withdrawn'
}

/** A set that only one side has, or has again, said in the first span of its year. */
export function wholeSet(spans: readonly Span[], at: number, pricingCode: string): SetChange[] {
  const what = becomes(spans[at]!)
  if (what === undefined) return []
  const { side, old, now } = BECOMES[what]
  const { financialYear } = spans[at]![side]!.spec
  const isOfSet = (span: Span | undefined) =>
    span !== undefined && becomes(span) === what && span[side]?.spec.financialYear === financialYear
  if (isOfSet(spans[at - 1])) return []
  const next = at + runLength(spans, at, isOfSet)
  const change = { pricingCode, component: 'set', kind: 'set', about: 'terms', sources: [] } as const
  const until = period(spans, next, (span) => span[side] !== undefined)
  return [
    {
      ...change,
      label: `rate set ${yearSuffix(financialYear)}`,
      financialYear,
      old,
      new: now,
      from: spans[at]!.from,
      ...until,
    },
  ]
}
