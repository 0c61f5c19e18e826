import { createHash } from 'node:crypto'
import { canonicalJson, digestOf } from './canonical.ts'
import { namedShard, SHARD_LIMIT, type NamedShard } from './encode-rates.ts'
import { FORMAT_VERSION, type ClientBinding, type ClientShardReference, type ClientsIndex } from './format.ts'

const CLIENTS_PER_SHARD = 1000

export interface EncodedClients {
  /** One for each shard, in order; `name` is in the index too. */
  shards: (NamedShard & { count: number; bindings: readonly ClientBinding[] })[]
}

/**
 * Bindings in shards by hash of the client id, so that a change of one client makes one new ConfigMap. A shard of the very
 * bindings that it was made of last is not encoded again.
 */
export function encodeClients(bindings: readonly ClientBinding[], formatVersion = FORMAT_VERSION): EncodedClients {
  for (let count = shardsFor(bindings.length); ; count *= 2) {
    const shards = distribute(bindings, count).map((held, number) => sizedShard(held, number, formatVersion))
    if (shards.every(({ size }) => size <= SHARD_LIMIT)) return { shards: shards.map(({ shard }) => shard) }
    if (shards.some(({ size, shard }) => shard.count === 1 && size > SHARD_LIMIT))
      throw new RangeError('one client binding is larger than a shard may be')
  }
}

interface SizedShard {
  bindings: readonly ClientBinding[]
  shard: EncodedClients['shards'][number]
  /** Bytes of its text as it is stored. */
  size: number
}

/** By first binding: a shard that has not changed begins with the object that it began with. */
const encodedShards = new WeakMap<ClientBinding, SizedShard>()

function sizedShard(bindings: readonly ClientBinding[], number: number, formatVersion: number): SizedShard {
  const [first] = bindings
  const known = first && encodedShards.get(first)
  const { shard, bindings: before } = known ?? {}
  const isSame = before?.length === bindings.length && bindings.every((binding, at) => binding === before[at])
  const isPlace = shard?.shard.formatVersion === formatVersion && shard.shard.of === clientShardNumber(number)
  if (known && isSame && isPlace) return known
  const fresh = clientShard(
    [...bindings].sort((a, b) => (a.clientId < b.clientId ? -1 : 1)),
    number,
    formatVersion,
  )
  const sized = { bindings, shard: fresh, size: Buffer.byteLength(JSON.stringify(fresh.shard.text)) }
  if (first) encodedShards.set(first, sized)
  return sized
}

/** The clients index; its digest depends on the bindings alone. */
export function encodeClientsIndex(
  shards: readonly ClientShardReference[],
  sequence: number,
  formatVersion = FORMAT_VERSION,
): ClientsIndex {
  const references = shards.map(({ name, digest, count }) => ({ name, digest, count }))
  return {
    formatVersion,
    kind: 'clients',
    sequence,
    digest: clientsDigest(references),
    shards: references,
  }
}

/** `sha256:<hex>` of the shards' digests in order. */
export function clientsDigest(shards: ClientsIndex['shards']): string {
  return digestOf(shards.map((shard) => shard.digest))
}

/** Number of the shard that holds a client, of `count` shards; `count` is a power of two. */
export function shardOfClient(clientId: string, count: number): number {
  return hashOfKey(clientId) % count
}

const hashes = new WeakMap<ClientBinding, number>()

function hashOf(binding: ClientBinding): number {
  const hash = hashes.get(binding) ?? hashOfKey(binding.clientId)
  hashes.set(binding, hash)
  return hash
}

/** A number of 32 bits from a text: the first four bytes of its SHA-256. */
export function hashOfKey(key: string): number {
  return createHash('sha256').update(key, 'utf8').digest().readUInt32BE(0)
}

function shardsFor(clients: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(clients / CLIENTS_PER_SHARD)))
}

function distribute(bindings: readonly ClientBinding[], count: number): ClientBinding[][] {
  const shards: ClientBinding[][] = Array.from({ length: count }, () => [])
  for (const binding of bindings) shards[hashOf(binding) % count]?.push(binding)
  return shards
}

function clientShard(bindings: ClientBinding[], number: number, formatVersion: number) {
  // The number of shards stays out of it: the same name must always mean the same bytes.
  const place = { of: clientShardNumber(number), part: 0, parts: 1 }
  // The canonical text of a list is made of those of its items, and hardly any item is new.
  const text = `[${bindings.map(canonicalBinding).join(',')}]`
  return { ...namedShard({ formatVersion, kind: 'clients', ...place, text }), count: bindings.length, bindings }
}

const canonical = new WeakMap<ClientBinding, string>()

function canonicalBinding(binding: ClientBinding): string {
  const text = canonical.get(binding) ?? canonicalJson(binding)
  canonical.set(binding, text)
  return text
}

/** How a shard's number is written in names and in `of`. */
export function clientShardNumber(number: number): string {
  return String(number).padStart(2, '0')
}
