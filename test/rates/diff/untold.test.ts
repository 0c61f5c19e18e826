import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { schemaFaults } from '#rates/checks/schema.ts'
import { parsePortfolio } from '#rates/diff/parse-portfolio.ts'
import { priceEffects } from '#rates/diff/prices.ts'
import { postcodeStatements } from '#rates/diff/postcode-statements.ts'
import { statementsOn } from '#rates/diff/statements.ts'
import { subjectOn, turningDays } from '#rates/diff/timeline.ts'
import { digestWithoutWords } from '#rates/diff/without-words.ts'
import { isoOf, yearBounds } from '#rates/engine/dates.ts'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { mutationsOf } from '../../../tools/mutants/mutations.ts'
import { drawnSets, labelOf, sets, snapshotOf } from '../properties/sets.ts'
import { tallyOf } from './edits/tally.ts'

/*
 * Every figure, date, condition, share, choice, order and part of every published rate set is changed, one at a time. Each
 * change is either said, or moves no price of the portfolio on the first and on the last day of the set. Every third change
 * is tried, beginning where the seed says; with UNTOLD=all each is, with UNTOLD=40 every fortieth, and SEED is for the same ones again.
 */
const EVERY = process.env['UNTOLD'] === 'all' ? 1 : Number(process.env['UNTOLD'] ?? 3)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const tally = tallyOf('untold', SEED)
const portfolio = parsePortfolio(readFileSync('rates/diff/portfolio.yaml', 'utf8'))

const withImports = (spec: RateSetSpec) => [
  spec,
  ...sets.filter((one) => one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode)),
]

/** All that some sets say of a pricing code on a day, but for the zones of postcodes, in one text. */
function wordsOn(specs: readonly RateSetSpec[], pricingCode: string, day: string): string {
  const subject = subjectOn(specs, pricingCode, day)
  return subject ? wordsOf(statementsOn(subject, day)) : ''
}

const wordsOf = (statements: ReturnType<typeof statementsOn>): string =>
  [...statements].map(([key, { value }]) => `${key}: ${value}`).join('\n')

/** Whether another zone is said of some postcode, on all days. Where no zone was edited none is. */
function isToldOfZones(old: RateSetSpec, now: RateSetSpec): boolean {
  if (isDeepStrictEqual(old.zones, now.zones)) return false
  return wordsOf(postcodeStatements(old)) !== wordsOf(postcodeStatements(now))
}

function isTold(old: readonly RateSetSpec[], now: readonly RateSetSpec[], was: Map<string, string>): boolean {
  const { pricingCode } = old[0]!
  if (isToldOfZones(old[0]!, now[0]!)) return true
  return turningDays([...now, ...old], pricingCode).some((day) => {
    const known = was.get(day) ?? wordsOn(old, pricingCode, day)
    was.set(day, known)
    return wordsOn(now, pricingCode, day) !== known
  })
}

/** What a change of a set does to the prices of the portfolio; nothing where the set could not be published. */
function effects(old: readonly RateSetSpec[], now: readonly RateSetSpec[]): string[] {
  const [spec] = now as [RateSetSpec]
  if (schemaFaults(RateSetSpec, spec).length > 0) return []
  const [before, after] = [snapshotOf(old), snapshotOf(now)]
  const { start, end } = yearBounds(spec.financialYear)
  return [start, end].flatMap((day) => {
    const on = { pricingCode: spec.pricingCode, spec, portfolio }
    const side = (snapshot: typeof before) => ({ snapshot, day: isoOf(day) })
    return priceEffects({ ...on, before: side(before), after: side(after) }).map(({ component }) => component)
  })
}

test.each(drawnSets(sets).map((spec) => [labelOf(spec), spec] as const))(
  `no change of %s moves a price and is not told (seed ${SEED})`,
  (_, spec) => {
    const old = withImports(spec)
    const was = new Map<string, string>()
    let mutants = SEED % EVERY
    for (const { path, operator, apply } of mutationsOf(spec)) {
      if (mutants++ % EVERY !== 0) continue
      const copy = structuredClone(spec)
      apply(copy)
      tally('edits')
      const now = [copy, ...old.slice(1)]
      if (isTold(old, now, was)) continue
      tally('silent')
      const moved = digestWithoutWords(copy) === digestWithoutWords(spec) ? [] : effects(old, now)
      expect(moved, `${operator} of ${path}`).toEqual([])
    }
    expect(mutants).toBeGreaterThan(50)
  },
  240_000,
)

test.each([
  ['a warning', (spec: RateSetSpec) => void (spec.rules[0]!.cases.at(-1)!.warning = 'Another warning.'), true],
  ['the name of a rule', (spec: RateSetSpec) => void (spec.rules[0]!.name = 'Another name'), true],
  ['a rounding', (spec: RateSetSpec) => void (spec.concessions![0]!.adjustments[0]!.round = { to: '1' }), false],
])('%s: whether only words differ', (_, edit, isWords) => {
  const spec = sets.find(({ concessions }) => concessions !== undefined)!
  const copy = structuredClone(spec)
  edit(copy)
  expect(digestWithoutWords(copy) === digestWithoutWords(spec)).toBe(isWords)
})
