import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comparisonLines } from '../../../cli/diff/lines.ts'
import { messageOf } from '#notices/render/message.ts'
import { noticesOf } from '#notices/tell.ts'
import { schemaFaults } from '#rates/checks/schema.ts'
import { changesOf } from '#rates/diff/figures.ts'
import { parsePortfolio } from '#rates/diff/parse-portfolio.ts'
import { priceEffects } from '#rates/diff/prices.ts'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import { digestWithoutWords } from '#rates/diff/without-words.ts'
import { isoOf, yearBounds } from '#rates/engine/dates.ts'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { mutationsOf, type Mutation } from '../../../tools/mutants/mutations.ts'
import { labelOf, sets, snapshotOf } from '../properties/sets.ts'
import { sample } from './sample.ts'

/*
 * One edit of one field of a published rate set is read in the three places where a change is read: driveaway diff,
 * GET /v1/changes and a notice. Where one of them says nothing, no price of the portfolio may move. By default a few edits of
 * each set; TOLD_EDITS=all for every edit, SEED for the same ones again.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const EDITS = process.env.TOLD_EDITS === 'all' ? Infinity : Number(process.env.TOLD_EDITS ?? 6)
const TODAY = '2026-11-22'
const portfolio = parsePortfolio(readFileSync('rates/diff/portfolio.yaml', 'utf8'))

/** A set with all years of its pricing code and of what these import, itself first. */
function withNeighbours(spec: RateSetSpec): RateSetSpec[] {
  const own = sets.filter(({ pricingCode }) => pricingCode === spec.pricingCode)
  const codes = new Set(own.flatMap(({ imports = [] }) => imports))
  const imported = sets.filter(({ pricingCode }) => codes.has(pricingCode))
  return [spec, ...[...own, ...imported].filter((one) => one !== spec)]
}

const PLAIN = { paint: (_: string, text: string) => text } as Parameters<typeof comparisonLines>[1]

/** The lines of driveaway diff that say a change of more than grades. */
function diffed(old: readonly RateSetSpec[], now: readonly RateSetSpec[]): string[] {
  const changes = changesOf(old, now, TODAY).filter(({ about }) => about !== 'evidence')
  const set = { name: 'edited', oldDigest: 'old', newDigest: 'new', wordsOnly: false }
  const comparison = { old: 'old', new: 'new', today: TODAY, release: 'new', sets: [set], changes, prices: [] }
  return comparisonLines(comparison, PLAIN).filter((line) => /^ {4}.* → /.test(line))
}

/** The rows of the mail to a client that is told of everything. */
function mailed(old: readonly RateSetSpec[], now: readonly RateSetSpec[]): string[] {
  const known = { number: 1, release: 'old', sets: [...old] }
  const telling = { environment: 'test', today: () => TODAY, issuedAt: `${TODAY}T00:00:00Z` }
  const published = { number: 2, release: 'new', sets: [...now] }
  const [notice] = noticesOf(known, published, [{ client: 'any', to: [] }], telling)
  return notice
    ? messageOf(notice)
        .text.split('\n')
        .filter((line) => /^ {2}.* → /.test(line))
    : []
}

/** What GET /v1/changes says of some sets, without where it stands and by whom. */
const listed = (specs: readonly RateSetSpec[]): string =>
  JSON.stringify([...typedChanges(specs)].flat().map(({ path: _path, sources: _sources, ...change }) => change))

/** The components of which a price moves on the first or the last day of an edited set. */
function moved(spec: RateSetSpec, edited: RateSetSpec): string[] {
  if (digestWithoutWords(spec) === digestWithoutWords(edited) || schemaFaults(RateSetSpec, edited).length > 0) return []
  const imports = sets.filter(
    (one) => one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode),
  )
  const [before, after] = [snapshotOf([spec, ...imports]), snapshotOf([edited, ...imports])]
  const { start, end } = yearBounds(spec.financialYear)
  return [isoOf(start), isoOf(end)].flatMap((day) => {
    const sides = { before: { snapshot: before, day }, after: { snapshot: after, day } }
    const effects = priceEffects({ ...sides, pricingCode: spec.pricingCode, spec: edited, portfolio })
    return effects.map(({ component }) => component)
  })
}

function editsOf(spec: RateSetSpec, position: number): Mutation[] {
  const all = [...mutationsOf(spec)]
  expect(all.length).toBeGreaterThan(50)
  return sample(all, EDITS, SEED + position)
}

test.each(sets.map((spec, position) => [labelOf(spec), spec, position] as const))(
  `an edit of %s that moves a price is read in the diff, in /v1/changes and in a notice (seed ${SEED})`,
  (_, spec, position) => {
    const old = withNeighbours(spec)
    const known = listed(old)
    const untold: string[] = []
    for (const { path, operator, apply } of editsOf(spec, position)) {
      const edited = structuredClone(spec)
      apply(edited)
      const now = [edited, ...old.slice(1)]
      const silent = [
        ...(diffed(old, now).length === 0 ? ['driveaway diff'] : []),
        ...(mailed(old, now).length === 0 ? ['the notice'] : []),
        ...(listed(now) === known ? ['/v1/changes'] : []),
      ]
      if (silent.length === 0 || moved(spec, edited).length === 0) continue
      untold.push(`${operator} of ${path}: ${silent.join(', ')} says nothing`)
    }
    expect(untold).toEqual([])
  },
  EDITS > 6 ? 3_600_000 : 120_000,
)
