import { readFileSync } from 'node:fs'
import { comparisonLines } from '../../../../cli/diff/lines.ts'
import { messageOf } from '#notices/render/message.ts'
import { noticesOf } from '#notices/tell.ts'
import { STAGES } from '#rates/checks/check-rate-set.ts'
import { contained } from '#rates/checks/contained.ts'
import { schemaFaults } from '#rates/checks/schema.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import { changesOf } from '#rates/diff/figures.ts'
import { parsePortfolio } from '#rates/diff/parse-portfolio.ts'
import { priceEffects } from '#rates/diff/prices.ts'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import { isoOf, yearBounds } from '#rates/engine/dates.ts'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets, snapshotOf, withEveryForm } from '../../properties/sets.ts'

const TODAY = '2026-11-22'
const portfolio = parsePortfolio(readFileSync('rates/diff/portfolio.yaml', 'utf8'))

/** A set with all years of its pricing code and of what these import, itself first; where it has no other year, with itself a year before. */
export function withNeighbours(spec: RateSetSpec): RateSetSpec[] {
  const own = withEveryForm.filter(({ pricingCode }) => pricingCode === spec.pricingCode)
  const codes = new Set(own.flatMap(({ imports = [] }) => imports))
  const imported = sets.filter(({ pricingCode }) => codes.has(pricingCode))
  const before = own.length > 1 ? [] : [yearBefore(spec)]
  return [spec, ...before, ...[...own, ...imported].filter((one) => one !== spec)]
}

function yearBefore(spec: RateSetSpec): RateSetSpec {
  const earlier = (text: string) => text.replace(/^\d{4}/, (year) => String(Number(year) - 1))
  const copy = JSON.stringify(spec, (key, value: unknown) =>
    /^(start|end)Date$/.test(key) ? earlier(value as string) : value,
  )
  const [first = '', last = ''] = spec.financialYear.split('-').map(earlier)
  return { ...(JSON.parse(copy) as RateSetSpec), financialYear: `${first}-${last}` }
}

const PLAIN = { paint: (_: string, text: string) => text } as Parameters<typeof comparisonLines>[1]

/** The lines of driveaway diff that say a change of more than grades. */
function diffed(old: readonly RateSetSpec[], now: readonly RateSetSpec[]): string[] {
  const changes = changesOf(old, now, TODAY).filter(({ about }) => about !== 'evidence')
  const set = { name: 'edited', oldDigest: 'old', newDigest: 'new', wordsOnly: false }
  const comparison = { old: 'old', new: 'new', today: TODAY, release: 'new', sets: [set], changes, prices: [] }
  return comparisonLines(comparison, PLAIN).filter((line) => /^ {4}.* → /.test(line))
}

/** The rows of the mail to a client that is told of everything, and what becomes of whole sets. */
function mailed(old: readonly RateSetSpec[], now: readonly RateSetSpec[]): string[] {
  const known = { number: 1, release: 'old', sets: [...old] }
  const telling = { environment: 'test', today: () => TODAY, issuedAt: `${TODAY}T00:00:00Z` }
  const published = { number: 2, release: 'new', sets: [...now] }
  const [notice] = noticesOf(known, published, [{ client: 'any', to: [] }], telling)
  return notice
    ? messageOf(notice)
        .text.split('\n')
        .filter((line) => /^ {2}.* → |(now published|be quoted)/.test(line))
    : []
}

/** What GET /v1/changes says of some sets, without where it stands, by whom, and what follows. */
export const listed = (specs: readonly RateSetSpec[]): string =>
  JSON.stringify(
    [...typedChanges(specs)]
      .flat()
      .map(({ path: _path, sources: _sources, followedBy: _followers, ...change }) => change),
  )

/** The places where a change of sets is read and nothing stands; `known` is what /v1/changes said before. */
export const silentOf = (old: readonly RateSetSpec[], now: readonly RateSetSpec[], known: string): string[] => [
  ...(diffed(old, now).length === 0 ? ['driveaway diff'] : []),
  ...(mailed(old, now).length === 0 ? ['the notice'] : []),
  ...(listed(now) === known ? ['/v1/changes'] : []),
]

const importsOf = (spec: RateSetSpec): RateSetSpec[] =>
  sets.filter((one) => one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode))

/** Whether a set can be priced with: of its shape, and with a meaning for each name. */
export function isPriced(spec: RateSetSpec): boolean {
  if (schemaFaults(RateSetSpec, spec).length > 0) return false
  try {
    snapshotOf([spec, ...importsOf(spec)])
    return true
  } catch {
    return false
  }
}

/** Whether lint refuses a set for more than its examples, which each change of a figure contradicts. */
export function isRefused(spec: RateSetSpec): boolean {
  const subject = subjectOf(spec, importsOf(spec))
  return STAGES.slice(0, -1).some((stage) => stage.some((check) => contained(check, subject).length > 0))
}

/** The components of which a price moves on the first or the last day of an edited set. */
export function moved(spec: RateSetSpec, edited: RateSetSpec): string[] {
  const [before, after] = [snapshotOf([spec, ...importsOf(spec)]), snapshotOf([edited, ...importsOf(edited)])]
  const { start, end } = yearBounds(spec.financialYear)
  return [isoOf(start), isoOf(end)].flatMap((day) => {
    const sides = { before: { snapshot: before, day }, after: { snapshot: after, day } }
    const effects = priceEffects({ ...sides, pricingCode: spec.pricingCode, spec: edited, portfolio })
    return effects.map(({ component }) => component)
  })
}
