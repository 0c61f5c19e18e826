import { expect, test } from 'vitest'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { changesOf } from '#rates/diff/figures.ts'
import type { NamedRules } from '#rates/diff/named-rules.ts'
import { postcodeStatements } from '#rates/diff/postcode-statements.ts'
import { statementsOn } from '#rates/diff/statements.ts'
import { namedBetween } from '#rates/diff/spans.ts'
import { subjectOn, turningDays } from '#rates/diff/timeline.ts'
import { AS_WRITTEN } from '#rates/diff/vocabulary.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { mutationsOf } from '../../../tools/mutants/mutations.ts'
import { drawnSets, labelOf, withEveryForm } from '../properties/sets.ts'
import { grammarEdits } from './edits/grammar-edits.ts'
import { isPriced, isRefused } from './edits/read.ts'
import { tallyOf } from './edits/tally.ts'
import { sample } from '../sample.ts'

/*
 * Nothing false is told. One edit of one field of a published rate set, and the same edit taken back: what is told to end is
 * no longer said under that name on that day, what is told to begin was not said, and "not priced before" is told only of what
 * no rule charged. By default some mistakes in each set; TOLD_EDITS=all for every edit of the grammar too, SEED for the same ones again.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const EDITS = process.env.TOLD_EDITS === 'all' ? Infinity : Number(process.env.TOLD_EDITS ?? 12)
const tally = tallyOf('true', SEED)
const TODAY = '2026-11-22'

type Sets = readonly RateSetSpec[]

/** What a set says on a day, each with the name that a reader is given, and how often. */
function saidOn(sets: Sets, pricingCode: string, day: string, named: NamedRules): Map<string, number> {
  const subject = subjectOn(sets, pricingCode, day)
  const all = subject
    ? [...statementsOn(subject, day, AS_WRITTEN, named).values(), ...postcodeStatements(subject.spec).values()]
    : []
  const texts = all.flatMap((one) => {
    const { kind, component, label, value, told } = one
    const names = [[label, value], ...(told ? [[told.label, told.value]] : [])]
    return names.map((text) => JSON.stringify([kind, component, ...text]))
  })
  return new Map([...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => [text, length]))
}

/** Whether some rule charged the component of a change on its first day, in a case below which others may not count. */
function isCharged(sets: readonly RateSetSpec[], { pricingCode, component, from }: FigureChange): boolean {
  const rules = subjectOn(sets, pricingCode, from)?.spec.rules ?? []
  const own = rules.filter((rule) => rule.component === component)
  const inForce = own.filter((rule) => (rule.startDate ?? '') <= from && from <= (rule.endDate ?? '9999'))
  return inForce.some(({ cases }) => {
    const last = cases.findIndex(({ when }) => when === undefined)
    return cases.slice(0, last + 1).some(({ charge }) => charge !== undefined)
  })
}

/** Which rules are called by their condition. */
const namedIn = (old: Sets, now: Sets, pricingCode: string) =>
  namedBetween([old, now], pricingCode, [...new Set([old, now].flatMap((sets) => turningDays(sets, pricingCode)))])

/** Why the changes from some sets to others are not true; nothing where they are. */
function falsehoods(old: readonly RateSetSpec[], now: readonly RateSetSpec[]): string[] {
  const changes = changesOf(old, now, TODAY)
  const sides = new Map<string, [Map<string, number>, Map<string, number>]>()
  return changes.flatMap((one) => {
    const { pricingCode, from } = one
    // Many changes begin on one day.
    const named = namedIn(old, now, pricingCode)
    const known = sides.get(`${pricingCode} ${from}`) ?? [
      saidOn(old, pricingCode, from, named),
      saidOn(now, pricingCode, from, named),
    ]
    sides.set(`${pricingCode} ${from}`, known)
    return falsehood(one, old, known)
  })
}

/** Why a change is not true, by what both sides say on its first day. */
function falsehood(
  change: FigureChange,
  old: readonly RateSetSpec[],
  [were, are]: readonly [Map<string, number>, Map<string, number>],
): string[] {
  const { kind, component, label, from, isFirst, role, about } = change
  // Postcodes are told together, of an order each part is said still, and a rule and its case may both have a grade.
  if (kind === 'set' || component.startsWith('zones ') || role === 'order' || about === 'evidence') return []
  const line = `${component}, ${label}: ${change.old} → ${change.new} from ${from}`
  const count = (side: Map<string, number>, value: string | null) =>
    value === null ? 0 : (side.get(JSON.stringify([kind, component, label, value])) ?? 0)
  const goesOn = count(are, change.old) > 0 && count(are, change.old) >= count(were, change.old)
  const wasSo = count(were, change.new) > 0 && count(were, change.new) >= count(are, change.new)
  return [
    ...(goesOn ? [`goes on: ${line}`] : []),
    ...(wasSo ? [`was so before: ${line}`] : []),
    ...(isFirst && isCharged(old, change) ? [`was priced before: ${line}`] : []),
  ]
}

const withImports = (spec: RateSetSpec) => [
  spec,
  ...withEveryForm.filter((one) => one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode)),
]

test.each(drawnSets(withEveryForm).map((spec, position) => [labelOf(spec), spec, position] as const))(
  `whatever is edited in %s, nothing false is told (seed ${SEED})`,
  (_, spec, position) => {
    const all = [...mutationsOf(spec), ...(EDITS > 12 ? [...grammarEdits(spec, withEveryForm)] : [])]
    const old = withImports(spec)
    const found = sample(all, EDITS, SEED + position).flatMap(({ path, operator, apply }) => {
      const edited = structuredClone(spec)
      apply(edited)
      tally('edits')
      const now = [edited, ...old.slice(1)]
      const found = [...falsehoods(old, now), ...falsehoods(now, old)]
      // Lint is asked last: it takes long.
      if (found.length === 0 || !isPriced(edited) || isRefused(edited)) return []
      return found.map((why) => `${operator} of ${path}: ${why}`)
    })
    expect(found).toEqual([])
  },
  EDITS > 12 ? 3_600_000 : 60_000,
)

test.each(drawnSets(withEveryForm).map((spec) => [labelOf(spec), spec] as const))(
  'what %s says otherwise than the year before was not so before, and nothing is said to end that goes on',
  (_, spec) => {
    const last = withEveryForm.find(
      (one) => one.pricingCode === spec.pricingCode && one.financialYear.endsWith(spec.financialYear.slice(0, 4)),
    )
    if (!last) return
    // As though the year had been published with the figures of the year before.
    const later = (day: string) => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
    const carried = JSON.parse(
      JSON.stringify(last, (key, value: string) => (/^(start|end)Date$/.test(key) ? later(value) : value)),
    ) as RateSetSpec
    const now = withImports(spec)
    const old = [{ ...carried, financialYear: spec.financialYear }, ...now.slice(1)]
    expect(falsehoods(old, now)).toEqual([])
  },
)
