import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { before, covered, eitherTopic, turningsIn, type Turning } from './figures.ts'
import { comparable, isOtherwiseAsData } from './otherwise.ts'
import { readAsData, type Topic } from './outcomes.ts'
import { period, runLength, spansOf, type SetStatements, type Span } from './spans.ts'
import { asData, type TypedChange } from './typed-changes.ts'
import { wholeSet } from './whole-sets.ts'

type Sets = readonly RateSetSpec[]

/**
 * What some rate sets say of a day that others did not say of the same day, one pricing code after another, each in the
 * order of its days. A pricing code whose sets are the same objects on both sides is not compared.
 */
export function* changesBetween(old: Sets, now: Sets): Generator<TypedChange[]> {
  const codes = [...new Set([...old, ...now].map(({ pricingCode }) => pricingCode))].sort()
  for (const pricingCode of codes) {
    if (isUntouched(old, now, pricingCode)) continue
    const spans = spansOf(old, now, pricingCode)
    yield spans.flatMap((_span, at) => [
      ...wholeSet(spans, at, pricingCode).map(asSet),
      ...asData(pricingCode, turningsBetween(spans, at), now),
    ])
  }
}

function isUntouched(old: Sets, now: Sets, pricingCode: string): boolean {
  const [were, are] = [old, now].map((sets) => withImports(sets, pricingCode)) as [Sets, Sets]
  return were.length === are.length && were.every((one) => are.includes(one))
}

function withImports(sets: Sets, pricingCode: string): Sets {
  const own = sets.filter((one) => one.pricingCode === pricingCode)
  const codes = new Set([pricingCode, ...own.flatMap(({ imports }) => imports ?? [])])
  return sets.filter((one) => codes.has(one.pricingCode))
}

/**
 * The statements that differ between the sides from a span on, and did not differ in the same way before. Of a set that
 * only the later side has, those that change from the day before.
 */
function turningsBetween(spans: readonly Span[], at: number): Turning[] {
  const { was, is, from } = spans[at]!
  if (!was) return turningsIn(spans, at)
  if (!is) return []
  const last = before(spans, at)
  return eitherTopic(was, is).flatMap((topic) => {
    const [old, now] = [readAsData(was, topic), readAsData(is, topic)]
    if (!isOtherwiseAsData(old, now)) return []
    const isSame = (span: Span) =>
      covered(span) && valueIn(span.was!, topic) === comparable(old) && valueIn(span.is!, topic) === comparable(now)
    if (last && isSame(last)) return []
    const next = at + runLength(spans, at, isSame)
    return [{ key: topic.key, old, now, from, ...period(spans, next, covered) }]
  })
}

const valueIn = (said: SetStatements, topic: Topic): string | undefined => comparable(readAsData(said, topic))

/** A whole set that begins or stops being published. */
function asSet({ pricingCode, from, until, label, old, new: now }: ReturnType<typeof wholeSet>[number]): TypedChange {
  return {
    pricingCode,
    effectiveDate: from,
    ...(until !== undefined && { lastDate: until }),
    ...{ kind: 'definition', name: 'set', path: 'financialYear', description: label },
    ...{ unit: 'words', from: old, to: now, sources: [] },
  }
}
