import { expect, test } from 'vitest'
import { digestWithoutWords } from '#rates/diff/without-words.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { labelOf, sets, withEveryForm } from '../properties/sets.ts'
import { grammarEdits, type Edit } from './edits/grammar-edits.ts'
import { isPriced, moved } from './edits/read.ts'
import { tallyOf } from './edits/tally.ts'
import { sample } from '../sample.ts'

/*
 * "Only names, descriptions, … differ" is never said where a price can move. Every field of a set whose edit is said to be one
 * of words is edited in all its places at once: no price of the portfolio moves. By default in a few sets; TOLD_EDITS=all for each, SEED for the
 * same ones again.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const SETS = process.env.TOLD_EDITS === 'all' ? Infinity : process.env.TOLD_EDITS === '1' ? 1 : 5
const tally = tallyOf('words only', SEED)

function withEdits(spec: RateSetSpec, edits: readonly Edit[]): RateSetSpec {
  const copy = structuredClone(spec)
  for (const { apply } of edits) apply(copy)
  return copy
}

/** Whether lists and names stay as they are, so that one edit leaves the place of the next. */
const isOfValue = ({ operator }: Edit) => operator === 'changed' || operator === 'left out'

/** The edits of each field and kind that are said to be of words alone. */
function wordsEdits(spec: RateSetSpec): [field: string, edits: Edit[]][] {
  const edits = [...grammarEdits(spec, sets)].filter(isOfValue)
  const groups = Map.groupBy(edits, ({ fields, operator }) => `${fields[0]} ${operator}`)
  const digest = digestWithoutWords(spec)
  const words = [...groups].filter(([, own]) => digestWithoutWords(withEdits(spec, own.slice(0, 1))) === digest)
  // A source of another name is one that its figures do not find.
  return words.filter(([, own]) => isPriced(withEdits(spec, own)))
}

test.each(sample(withEveryForm, SETS, SEED).map((spec) => [labelOf(spec), spec] as const))(
  `no words of %s move a price (seed ${SEED})`,
  (_, spec) => {
    const groups = wordsEdits(spec)
    // What is left out of an object leaves nothing to change in it.
    const changed = groups.filter(([name]) => name.endsWith('changed'))
    const leftOut = groups.filter(([name]) => name.endsWith('left out')).toReversed()
    expect(changed.length).toBeGreaterThan(15)
    groups.forEach(() => tally('fields of sets'))
    for (const some of [changed, leftOut]) {
      const copy = withEdits(
        spec,
        some.flatMap(([, edits]) => edits),
      )
      expect(isPriced(copy)).toBe(true)
      if (moved(spec, copy).length === 0) continue
      const moving = some.filter(([, edits]) => moved(spec, withEdits(spec, edits)).length > 0)
      expect(moving.map(([name]) => name)).toEqual([])
    }
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
