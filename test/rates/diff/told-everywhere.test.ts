import { expect, test } from 'vitest'
import { digestWithoutWords } from '#rates/diff/without-words.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { mutationsOf } from '../../../tools/mutants/mutations.ts'
import { drawnSets, labelOf, sets } from '../properties/sets.ts'
import { grammarEdits } from './edits/grammar-edits.ts'
import { isPriced, isRefused, listed, moved, silentOf, withNeighbours } from './edits/read.ts'
import { tallyOf } from './edits/tally.ts'
import { sample } from '../sample.ts'

/*
 * One edit of one field of a published rate set is read in the three places where a change is read: driveaway diff,
 * GET /v1/changes and a notice. Where one of them says nothing, no price of the portfolio may move. By default a few mistakes
 * in each set; TOLD_EDITS=all for every edit of the grammar too, SEED for the same ones again.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const EDITS = process.env.TOLD_EDITS === 'all' ? Infinity : Number(process.env.TOLD_EDITS ?? 6)
const tally = tallyOf('told everywhere', SEED)

/** Those that a person makes by mistake, and those of the grammar; words-only.test.ts has those of examples. */
function editsOf(spec: RateSetSpec) {
  const mistakes = [...mutationsOf(spec)]
  const others = [...grammarEdits(spec, sets)].filter(({ fields }) => !fields[0]!.startsWith('examples'))
  expect(mistakes.length).toBeGreaterThan(50)
  expect(others.length).toBeGreaterThan(500)
  // every-field.test.ts has some of the others.
  return EDITS > 6 ? [...mistakes, ...others] : mistakes
}

test.each(drawnSets(sets).map((spec, position) => [labelOf(spec), spec, position] as const))(
  `an edit of %s that moves a price is read in the diff, in /v1/changes and in a notice (seed ${SEED})`,
  (_, spec, position) => {
    const old = withNeighbours(spec)
    const known = listed(old)
    const untold: string[] = []
    for (const { path, operator, apply } of sample(editsOf(spec), EDITS, SEED + position)) {
      const edited = structuredClone(spec)
      apply(edited)
      tally('edits')
      // Whether a change is of words alone is what words-only.test.ts asks.
      if (digestWithoutWords(spec) === digestWithoutWords(edited) || !isPriced(edited)) continue
      const silent = silentOf(old, [edited, ...old.slice(1)], known)
      if (silent.length > 0) tally('silent somewhere')
      if (silent.length === 0 || moved(spec, edited).length === 0 || isRefused(edited)) continue
      untold.push(`${operator} of ${path}: ${silent.join(', ')} says nothing`)
    }
    expect(untold).toEqual([])
  },
  EDITS > 6 ? 3_600_000 : 120_000,
)
