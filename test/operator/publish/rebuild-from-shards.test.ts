import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { shardConfigMap } from '#rates/published/config-map.ts'
import { encodeRateSet, type EncodedSet, type NamedShard } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { ratesFromShards } from '../../../operator/publish/rebuild-from-shards.ts'
import { SEQUENCE_LABEL } from '../../../operator/publish/stamps.ts'
import { inventedSet } from '../invented-set.ts'

const AU = 'au-fy27'
const VIC = 'au-vic-fy27'
const au = (fee: string) => inventedSet('AU', { fee })
const vic = (fee: string) => inventedSet('AU_VIC', { fee })

function encode(spec: RateSetSpec, federal?: RateSetSpec): EncodedSet {
  const imports = federal ? [{ name: AU, pricingCode: 'AU', digest: encode(federal).entry.digest }] : []
  return encodeRateSet(rateSetName(spec.pricingCode, spec.financialYear), spec, imports)
}

/** The ConfigMap that holds a content since a publication. */
function shardOf(spec: RateSetSpec, sequence: number, federal?: RateSetSpec) {
  const [named] = encode(spec, federal).shards
  const map = shardConfigMap('driveaway', named as NamedShard)
  const labels = { ...map.metadata.labels, [SEQUENCE_LABEL]: String(sequence) }
  return { ...map, metadata: { ...map.metadata, labels } }
}

const digestsOf = (index: ReturnType<typeof ratesFromShards>) =>
  Object.fromEntries(index?.sets.map(({ name, digest }) => [name, digest]) ?? [])

/** What was published: a federal set and a state twice, always both together. */
const published = [
  [AU, encode(au('1.00')).entry.digest],
  [VIC, encode(vic('10.00'), au('1.00')).entry.digest],
  [AU, encode(au('2.00')).entry.digest],
  [VIC, encode(vic('20.00'), au('2.00')).entry.digest],
]
const isAdmitted = (name: string, digest: string) => published.some(([set, known]) => set === name && known === digest)

test('the newest contents are taken that were admitted together, not the newest of all', () => {
  const shards = [shardOf(au('1.00'), 1), shardOf(vic('10.00'), 1, au('1.00')), shardOf(au('2.00'), 2)]
  const both = [...shards, shardOf(vic('20.00'), 2, au('2.00'))]
  const later = [...both, shardOf(vic('30.00'), 3, au('2.00'))]
  const expected = Object.fromEntries(published.slice(2))
  expect(digestsOf(ratesFromShards(both, isAdmitted))).toEqual(expected)
  // Somebody put this one there, or a publication of it never came about.
  expect(digestsOf(ratesFromShards(later, isAdmitted))).toEqual(expected)
  // Nobody attested the earlier content of the state with the later federal set.
  const unproved: string[] = []
  const index = ratesFromShards(shards, isAdmitted, ({ name }) => void unproved.push(name))
  expect([digestsOf(index), unproved]).toEqual([Object.fromEntries(published.slice(2, 3)), [VIC]])
})

test('where no attestation is asked for, the newest content of each set is taken', () => {
  const shards = [shardOf(au('1.00'), 1), shardOf(vic('10.00'), 1, au('1.00')), shardOf(au('2.00'), 2)]
  expect(digestsOf(ratesFromShards(shards))).toEqual({
    [AU]: encode(au('2.00')).entry.digest,
    [VIC]: encode(vic('10.00'), au('2.00')).entry.digest,
  })
})

test('of two contents under one sequence, the one that was written later is taken', () => {
  const [earlier, later] = [shardOf(au('1.00'), 1), shardOf(au('2.00'), 1)]
  earlier.metadata = { ...earlier.metadata, resourceVersion: '9' }
  later.metadata = { ...later.metadata, resourceVersion: '12' }
  for (const shards of [
    [earlier, later],
    [later, earlier],
  ])
    expect(digestsOf(ratesFromShards(shards))).toEqual({ [AU]: encode(au('2.00')).entry.digest })
})
