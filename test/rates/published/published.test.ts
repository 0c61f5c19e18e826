import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { storedSize } from '#rates/published/binding-text.ts'
import { canonicalJson, sha256 } from '#rates/published/canonical.ts'
import { shardConfigMap } from '#rates/published/config-map.ts'
import { decodeClients, decodeRates } from '#rates/published/decode.ts'
import { parseClientsIndex, parseRatesIndex } from '#rates/published/parse-index.ts'
import { encodeClients, encodeClientsIndex, fitClients } from '#rates/published/encode-clients.ts'
import { encodeRateSet, encodeRatesIndex, rateSetDigest, type NamedShard } from '#rates/published/encode-rates.ts'
import type { ClientBinding } from '#rates/published/format.ts'

/** A small rate set with invented amounts: no law has them. */
function inventedSet(code: string, year: string, note = 'invented'): RateSetSpec {
  return {
    pricingCode: code,
    financialYear: year,
    timeZone: 'Australia/Melbourne',
    sources: [
      { name: 'none', label: note, url: 'https://example.com/', authority: 'nobody', kind: 'html', official: false },
    ],
    rules: [],
  }
}

const texts = (shards: NamedShard[]) => new Map(shards.map(({ name, shard }) => [name, JSON.stringify(shard)]))

function published(note = 'invented') {
  const federal = encodeRateSet('au-fy27', inventedSet('AU', '2026-2027', note))
  const imports = [{ name: 'au-fy27', pricingCode: 'AU', digest: federal.entry.digest }]
  const state = encodeRateSet('au-vic-fy27', { ...inventedSet('AU_VIC', '2026-2027', note), imports: ['AU'] }, imports)
  const index = encodeRatesIndex([state.entry, federal.entry], 7)
  return { federal, state, index, texts: texts([...federal.shards, ...state.shards]) }
}

test('canonical JSON sorts keys by UTF-16 code units and writes numbers as RFC 8785 section 3.2.4 has them', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew',
    '1': 'One',
    '\ud83d\ude00': 'Smiley',
    n: 333333333.33333329,
  }
  expect(canonicalJson(value)).toBe(
    '{"\\r":"Carriage Return","1":"One","n":333333333.3333333,"\u20ac":"Euro Sign","\ud83d\ude00":"Smiley","\ufb33":"Hebrew"}',
  )
})

test('what was encoded is decoded, in order of name', () => {
  const { index, texts } = published()
  const sets = decodeRates(parseRatesIndex(JSON.stringify(index)), texts)
  expect(sets.map((set) => set.entry.name)).toEqual(['au-fy27', 'au-vic-fy27'])
  expect(sets[1]?.spec).toEqual({ ...inventedSet('AU_VIC', '2026-2027'), imports: ['AU'] })
  expect(sets[0]?.entry).toMatchObject({ startDate: '2026-07-01', endDate: '2027-06-30' })
})

test('the attested digest is SHA-256 over the canonical JSON of spec and imports', () => {
  const spec = inventedSet('AU_VIC', '2026-2027')
  const text = canonicalJson({ imports: { AU: 'sha256:00' }, spec })
  expect(rateSetDigest(spec, [{ pricingCode: 'AU', digest: 'sha256:00' }])).toBe(sha256(text))
})

test('the release follows the content and the pinned imports, not the sequence', () => {
  const { federal, state, index } = published()
  expect(encodeRatesIndex([federal.entry, state.entry], 8).release).toBe(index.release)
  const pinned = { ...state.entry, imports: { 'au-fy27': 'sha256:other' } }
  expect(encodeRatesIndex([federal.entry, pinned], 7).release).not.toBe(index.release)
})

test('a set of more than 512 KiB is split, quotes and non-ASCII counted as stored, and joined again', () => {
  const note = '"\u20ac\ud83d\ude00\\'.repeat(90_000)
  const { federal, index, texts } = published(note)
  expect(federal.shards.length).toBeGreaterThan(2)
  for (const shard of federal.shards) {
    const stored = shardConfigMap('x', shard)
    expect(Buffer.byteLength(stored.data['shard.json'] ?? '')).toBeLessThanOrEqual(512 * 1024)
    expect(stored.immutable).toBe(true)
  }
  expect(decodeRates(index, texts)[0]?.spec.sources[0]?.label).toBe(note)
})

test('a missing shard is an error that names set and shard', () => {
  const { index, texts, state } = published()
  const name = state.shards[0]?.name ?? ''
  texts.delete(name)
  expect(() => decodeRates(index, texts)).toThrow(`set au-vic-fy27: shard ${name}: is not there`)
})

test('a shard with one letter changed is an error that names set and shard', () => {
  const { index, texts, state } = published()
  const name = state.shards[0]?.name ?? ''
  texts.set(name, (texts.get(name) ?? '').replace('invented', 'Invented'))
  expect(() => decodeRates(index, texts)).toThrow(`set au-vic-fy27: shard ${name}: its text does not hash to`)
})

test('a shard that says it belongs to another set is refused', () => {
  const { index, texts, state } = published()
  const { name, shard } = state.shards[0] as NamedShard
  texts.set(name, JSON.stringify({ ...shard, of: 'au-nsw-fy27' }))
  expect(() => decodeRates(index, texts)).toThrow(`set au-vic-fy27: shard ${name}: belongs to au-nsw-fy27`)
})

test('an entry pinned to an import that is not in the index is refused', () => {
  const { federal, state, texts } = published()
  const torn = encodeRatesIndex([{ ...federal.entry, digest: 'sha256:other' }, state.entry], 1)
  expect(() => decodeRates(torn, texts)).toThrow(/au-vic-fy27.*au-fy27.*not in the index|au-fy27.*digest/)
})

test('an entry whose digest is not that of its spec and imports is refused', () => {
  const { federal, texts } = published()
  const forged = encodeRatesIndex([{ ...federal.entry, digest: `sha256:${'0'.repeat(64)}` }], 1)
  expect(() => decodeRates(forged, texts)).toThrow('set au-fy27: its digest is not that of its spec and imports')
})

test('an index whose release was not computed from its sets is refused', () => {
  const { index } = published()
  expect(() => parseRatesIndex(JSON.stringify({ ...index, sets: index.sets.slice(1) }))).toThrow('release')
})

test('an index of the next format version is refused', () => {
  const { index } = published()
  expect(() => parseRatesIndex(JSON.stringify({ ...index, formatVersion: 3 }))).toThrow('format version 3')
})

const client = (clientId: string): ClientBinding => ({
  clientId,
  uid: `uid-${clientId}`,
  displayName: clientId,
  showroomCodes: ['SYD01'],
  grants: ['pricing:quote'],
  suspended: false,
  secrets: [],
  jwks: [],
  subjects: [],
})

test('bindings of 5,000 clients come back from their shards', () => {
  const bindings = Array.from({ length: 5000 }, (_, n) => client(`client-${n}`))
  const { shards } = encodeClients(bindings)
  const index = parseClientsIndex(JSON.stringify(encodeClientsIndex(shards, 3)))
  expect(shards).toHaveLength(8)
  const decoded = decodeClients(index, texts(shards))
  expect(decoded.size).toBe(5000)
  expect(decoded.get('client-4321')).toEqual(client('client-4321'))
})

test('a change of one client makes one new shard', () => {
  const bindings = Array.from({ length: 5000 }, (_, n) => client(`client-${n}`))
  const before = new Set(encodeClients(bindings).shards.map((shard) => shard.name))
  const changed = bindings.map((each) => (each.clientId === 'client-7' ? { ...each, suspended: true } : each))
  expect(encodeClients(changed).shards.filter((shard) => !before.has(shard.name))).toHaveLength(1)
})

test('large clients whose names have the same hash make no more shards than their bytes ask for', () => {
  // The first 32 bits of the SHA-256 of both names are the same: no number of shards separates them.
  const large = ['big-38520', 'big-74371'].map((name) => ({ ...client(name), displayName: 'x'.repeat(281 * 1024) }))
  const { count, overfull } = fitClients(large)
  expect([count, overfull.size]).toEqual([8, 1])
  // Where they are published already in more shards, those are as many as before.
  expect(fitClients([...large, client('small')], 16).count).toBe(16)
})

test('the size of a shard is known before its text is made', () => {
  const odd = { ...client('odd'), displayName: 'a"b\\c\u0001\n€😀' }
  const [shard] = encodeClients([odd, client('even')]).shards
  const sizes = [odd, client('even')].map(storedSize)
  expect(Buffer.byteLength(JSON.stringify(shard?.shard.text))).toBe(sizes.reduce((sum, size) => sum + size + 1, 3))
})

test.each([0, -1, 1.5, 1e21, 2 ** 53 - 1, '7', null])('an index whose sequence is %j is broken', (sequence) => {
  const clients = encodeClientsIndex(encodeClients([]).shards, sequence as number)
  expect(() => parseClientsIndex(JSON.stringify(clients))).toThrow('the sequence of the clients index is')
  const rates = encodeRatesIndex([], sequence as number)
  expect(() => parseRatesIndex(JSON.stringify(rates))).toThrow('the sequence of the rates index is')
})

test('no clients at all are one empty shard', () => {
  const { shards } = encodeClients([])
  expect(decodeClients(encodeClientsIndex(shards, 1), texts(shards)).size).toBe(0)
})

test('a clients shard that was swapped for another is refused by name', () => {
  const { shards } = encodeClients([client('a')])
  const other = encodeClients([client('b')]).shards[0] as NamedShard
  const swapped = new Map([[shards[0]?.name ?? '', JSON.stringify(other.shard)]])
  expect(() => decodeClients(encodeClientsIndex(shards, 1), swapped)).toThrow(`shard ${shards[0]?.name}`)
})
