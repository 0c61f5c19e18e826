import { yearSuffix } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { statementsOn, type Statement } from './statements.ts'
import { dayBefore, subjectOn, turningDays } from './timeline.ts'

/** One thing that is said otherwise than before, from a day on; null where it was not or is no longer said. */
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
  /** Titles; of what is said now, or was. */
  sources: readonly string[]
  /** Whether it reaches days before today: what was quoted for them would be quoted otherwise. */
  correction?: boolean
}

type Sets = readonly RateSetSpec[]

/** What the rate sets of a process say from `from` to `to`, ISO, both inclusive, that they did not say the day before. */
export function changesBetween(sets: Sets, from: string, to: string): FigureChange[] {
  return codesOf(sets).flatMap((pricingCode) =>
    turningDays(sets, pricingCode)
      .filter((day) => from <= day && day <= to)
      .flatMap((day) => turning(sets, pricingCode, day)),
  )
}

/** What some rate sets say of a day that others do not; `today`, ISO, tells corrections of the past from changes to come. */
export function changesOf(old: Sets, now: Sets, today: string): FigureChange[] {
  return codesOf([...old, ...now]).flatMap((pricingCode) => {
    const days = [...new Set([...turningDays(old, pricingCode), ...turningDays(now, pricingCode)])].sort()
    let before: FigureChange[] = []
    return days.flatMap((day) => {
      const changes = differing(old, now, pricingCode, day)
      const fresh = changes.filter((one) => !before.some((other) => isSame(one, other)))
      before = changes
      return fresh.map((one) => ({ ...one, correction: day < today }))
    })
  })
}

const codesOf = (sets: Sets): string[] => [...new Set(sets.map(({ pricingCode }) => pricingCode))].sort()

const isSame = (a: FigureChange, b: FigureChange): boolean =>
  a.kind === b.kind && a.component === b.component && a.label === b.label && a.old === b.old && a.new === b.new

function differing(old: Sets, now: Sets, pricingCode: string, day: string): FigureChange[] {
  const was = subjectOn(old, pricingCode, day)
  const is = subjectOn(now, pricingCode, day)
  if (was && is) return compared(statementsOn(was, day), statementsOn(is, day), pricingCode, day)
  if (is) return [published(is.spec, day), ...turning(now, pricingCode, day)]
  return was ? [{ ...published(was.spec, day), old: 'published', new: null }] : []
}

function published({ pricingCode, financialYear }: RateSetSpec, from: string): FigureChange {
  const label = `rate set ${yearSuffix(financialYear)}`
  return {
    pricingCode,
    component: 'set',
    kind: 'set',
    label,
    about: 'terms',
    old: null,
    new: 'published',
    from,
    sources: [],
  }
}

/** What is said on a day against the day before, in the same sets; nothing where either is not covered. */
function turning(sets: Sets, pricingCode: string, day: string): FigureChange[] {
  const was = subjectOn(sets, pricingCode, dayBefore(day))
  const is = subjectOn(sets, pricingCode, day)
  if (!was || !is) return []
  return compared(statementsOn(was, dayBefore(day)), statementsOn(is, day), pricingCode, day)
}

type Statements = ReadonlyMap<string, Statement>

function compared(was: Statements, is: Statements, pricingCode: string, from: string): FigureChange[] {
  const keys = [...new Set([...is.keys(), ...was.keys()])]
  return keys.flatMap((key) => {
    const old = was.get(key)
    const now = is.get(key)
    const said = now ?? old!
    if (old?.value === now?.value) return []
    const { component, kind, label, about, sources, ruleId } = said
    const change = {
      pricingCode,
      component,
      kind,
      label,
      about,
      old: old?.value ?? null,
      new: now?.value ?? null,
      from,
      sources,
    }
    return [{ ...change, ...(ruleId === undefined ? {} : { ruleId }) }]
  })
}
