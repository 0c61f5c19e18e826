import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { TypedFigure } from './charge-statements.ts'
import { turningsIn, type Turning } from './figures.ts'
import { spansOf } from './spans.ts'
import type { Statement } from './statements.ts'

/** One thing that the rates say from a day on and did not say the day before, as data. */
export interface TypedChange {
  pricingCode: string
  /** First day, ISO, on which it is so. */
  effectiveDate: string
  /** Last day, ISO; absent where it is so to the last day of the published rates. */
  lastDate?: string
  kind: 'component' | 'parameter' | 'concession' | 'definition'
  name: string
  /** Where it stands in the rate set of the later day, or of the earlier where it is no longer said. */
  path: string
  ruleId?: string
  description: string
  /**
   * What `from` and `to` are: integer cents, cents with a fraction as a decimal, per cent as a decimal, another number as a
   * decimal, or words.
   */
  unit: 'cents' | 'fractionalCents' | 'percent' | 'number' | 'words'
  /** What a rate is for: so many cents of the basis, or so much of a fact. */
  per?: { amount: string; of: string }
  from: number | string | null
  to: number | string | null
  sources: readonly string[]
}

/** The changes within some rate sets, one pricing code after another, each in the order of its days. */
export function* typedChanges(sets: readonly RateSetSpec[]): Generator<TypedChange[]> {
  const codes = [...new Set(sets.map(({ pricingCode }) => pricingCode))].sort()
  for (const pricingCode of codes) {
    const spans = spansOf(sets, sets, pricingCode)
    yield spans.flatMap((_span, at) =>
      turningsIn(spans, at)
        // What a figure rests on is no change of it.
        .filter(({ old, now }) => (now ?? old)!.about !== 'evidence')
        .map((turning) => typedChange(pricingCode, turning)),
    )
  }
}

const KINDS = { rule: 'component', parameter: 'parameter', concession: 'concession', other: 'definition' } as const

function typedChange(pricingCode: string, { old, now, from, until }: Turning): TypedChange {
  const { kind, component, path = component, label, ruleId, sources } = (now ?? old)!
  return {
    pricingCode,
    effectiveDate: from,
    ...(until === undefined ? {} : { lastDate: until }),
    kind: KINDS[kind],
    name: component,
    path,
    ...(ruleId === undefined ? {} : { ruleId }),
    description: label,
    ...valuesOf(old, now),
    sources,
  }
}

type Values = Pick<TypedChange, 'unit' | 'per' | 'from' | 'to'>

/** Data where each side that says something says one number of the same unit, words otherwise. */
function valuesOf(old: Turning['old'], now: Turning['now']): Values {
  const sides = [old, now].filter((side) => side !== undefined)
  const figures = sides.flatMap(({ figure }) => figure ?? [])
  const [first, second = first] = figures
  if (!first || figures.length < sides.length || !isOneUnit(first, second!)) {
    return { unit: 'words', ...between(old, now, ({ value }) => value) }
  }
  const { from, to } = between(old, now, ({ figure }) => figure!.value)
  const values = inUnit(first.unit, [from, to])
  return first.per ? { ...values, per: first.per } : values
}

const between = (old: Turning['old'], now: Turning['now'], said: (statement: Statement) => string) => ({
  from: old ? said(old) : null,
  to: now ? said(now) : null,
})

const isOneUnit = (a: TypedFigure, b: TypedFigure) =>
  a.unit === b.unit && a.per?.amount === b.per?.amount && a.per?.of === b.per?.of

function inUnit(unit: TypedFigure['unit'], [from, to]: [string | null, string | null]): Values {
  if (unit !== 'cents') return { unit, from, to }
  if (from?.includes('.') || to?.includes('.')) return { unit: 'fractionalCents', from, to }
  return { unit, from: from === null ? null : Number(from), to: to === null ? null : Number(to) }
}
