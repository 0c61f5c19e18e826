import { expect, test } from 'vitest'
import { buildSnapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { keptConfigMap, packedIn, readKept } from '#rates/release/kept-release.ts'
import { entriesOf } from '#rates/release/bundle-content.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createReleases } from '../../../api/releases/releases.ts'
import { inventedSet } from '../../operator/invented-set.ts'

const CODES = ['AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD', 'AU_SA', 'AU_TAS', 'AU_VIC', 'AU_WA']
const OLD = 10

/** A release in which every state has the fee, as the operator keeps it. */
function keptWith(fee: string) {
  const specs = [inventedSet('AU'), ...CODES.map((code) => inventedSet(code, { fee }))]
  const entries = entriesOf(specs.map((spec) => ({ name: rateSetName(spec.pricingCode, spec.financialYear), spec })))
  const bySpec = new Map(entries.map(({ encoded, spec }) => [encoded.entry.specDigest, spec]))
  const index = encodeRatesIndex(
    entries.map(({ encoded }) => encoded.entry),
    1,
  )
  const object = keptConfigMap('driveaway', index, ({ specDigest }) => bySpec.get(specDigest), [
    { since: '2026-03-01T00:00:00Z' },
  ])!
  return { kept: readKept(object)!, packed: Buffer.from(packedIn(object)!, 'base64'), entries }
}

test('ten old releases, asked for at once, are loaded one after another, with a turn for quotes after each rate set', async () => {
  const old = Array.from({ length: OLD }, (_, at) => keptWith(`${at + 1}0.00`))
  const { entries, kept: present } = keptWith('99.00')
  const sets = entries.map(({ encoded: { entry }, spec }) => ({
    name: entry.name,
    digest: entry.digest,
    imports: entry.imports,
    spec,
  }))
  const rates = {
    snapshot: buildSnapshot({ release: present.release, sets }),
    sequence: 1,
    loadedAt: '2026-03-01T00:00:00Z',
  }
  // Each step takes longer than requests may be kept waiting.
  let time = 0
  let turns = 0
  const clock: Clock = { ...systemClock, elapsed: () => (time += 10), turn: async () => void (turns += 1) }
  /** The turns that there had been when a release was read. */
  const readAfter: number[] = []
  const read = async ({ release }: { release: string }) => {
    readAfter.push(turns)
    return old.find(({ kept }) => kept.release === release)?.packed
  }
  const keptReleases = { list: () => old.map(({ kept }) => kept), read, stop: async () => undefined }
  const releases = createReleases({ kept: keptReleases, log: { error: () => undefined }, clock, now: () => Date.now() })
  const snapshots = await Promise.all(old.map(({ kept }) => releases.asKnownAt(kept.release, rates, '/body')))
  expect(snapshots.map(({ release }) => release)).toEqual(old.map(({ kept }) => kept.release))
  // The federal set is the same in all: it is read again, and not compiled again.
  const each = entries.length + CODES.length
  expect(readAfter.length).toBe(OLD)
  for (const [at, before] of readAfter.entries()) expect(before).toBeGreaterThanOrEqual(at * each)
  expect(turns).toBeGreaterThanOrEqual(OLD * each)
})
