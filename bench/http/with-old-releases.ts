import { readRateSets } from '#rates/files/read.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { keptConfigMap, packedIn, readKept } from '#rates/release/kept-release.ts'
import { entriesOf } from '#rates/release/bundle-content.ts'
import { createRatesLoader } from '../../api/load/load-rates.ts'
import { startPricingServer } from '../../test/api/pricing-server.ts'
import { marked, publishFolder } from './publish-folder.ts'

const OLD = 10

/** The committed rate sets as an operator keeps them, with a digest of their own for each mark. */
function keptRelease(mark: string) {
  const sets = readRateSets(['rates/sets']).map(({ name, spec }) => ({ name, spec: marked(spec as RateSetSpec, mark) }))
  const entries = entriesOf(sets)
  const bySpec = new Map(entries.map(({ encoded, spec }) => [encoded.entry.specDigest, spec]))
  const index = encodeRatesIndex(
    entries.map(({ encoded }) => encoded.entry),
    1,
  )
  const inForce = [{ since: '2026-03-01T00:00:00Z' }]
  const object = keptConfigMap('driveaway', index, ({ specDigest }) => bySpec.get(specDigest), inForce)!
  return { kept: readKept(object)!, packed: Buffer.from(packedIn(object)!, 'base64') }
}

const old = Array.from({ length: OLD }, (_, at) => keptRelease(`of release ${at + 1}`))
const server = await startPricingServer(undefined, undefined, {
  keptReleases: {
    list: () => old.map(({ kept }) => kept),
    read: async ({ release }) => old.find(({ kept }) => kept.release === release)?.packed,
    stop: async () => undefined,
  },
})
const { index, shards, sets } = publishFolder('rates/sets', 'now')
server.holder.swap({ rates: await createRatesLoader(() => Promise.resolve(shards))(index, undefined) })
process.on('disconnect', () => process.exit())
const releases = old.map(({ kept }) => kept.release)
process.send?.({ url: server.url, token: await server.token(), sets, releases })
