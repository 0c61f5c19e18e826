import { yearSuffix } from '../engine/dates.ts'
import { period, runLength, type Span } from './spans.ts'

/** The changes of a whole rate set, and the side that has the set. */
const BECOMES = {
  published: { side: 'is', old: null, now: 'published' },
  withdrawn: { side: 'was', old: 'published', now: null },
  again: { side: 'is', old: 'withdrawn', now: 'published again' },
} as const

/** A whole rate set begins or stops being published. */
interface SetChange extends Whole {
  pricingCode: string
  component: 'set'
  kind: 'set'
  about: 'terms'
  label: string
  financialYear: string
  /** First and last day of the change, ISO. */
  from: string
  until?: string
  sources: readonly string[]
}

interface Whole {
  kind: string
  old: string | null
  new: string | null
}

/** Whether a change is the first publication of a set. */
export const isFirstPublished = ({ kind, old, new: now }: Whole): boolean =>
  kind === 'set' && old === null && now !== null

/** Whether a change publishes a withdrawn set again. */
export const isPublishedAgain = ({ kind, old, new: now }: Whole): boolean =>
  kind === 'set' && old !== null && now !== null

function becomes({ was, is, isAgain }: Span): keyof typeof BECOMES | undefined {
  if (isAgain) return 'again'
  if (was && is) return undefined
  return is ? 'published' : was && 'withdrawn'
}

/** The change of a set that only one side has, or has again; reported in the first span of its year. */
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
