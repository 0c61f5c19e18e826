import { createHash } from 'node:crypto'
import { canonicalBinding, storedSize } from './binding-text.ts'
import { digestOf } from './canonical.ts'
import { namedShard, SHARD_LIMIT, type NamedShard } from './encode-rates.ts'
import { FORMAT_VERSION, type ClientBinding, type ClientShardReference, type ClientsIndex } from './format.ts'

const CLIENTS_PER_SHARD = 1000
/** How many times more shards are used than the bytes of all bindings would fill. */
const SPREAD = 4

export interface EncodedClients {
  /** The shards in order; the index repeats each `name`. */
  shards: (NamedShard & { count: number; bindings: readonly ClientBinding[] })[]
}

/** How many shards the bindings need. */
export interface ClientsFit {
  count: number
  /** Bytes of each shard that remains larger than a shard may be, by its number. */
  overfull: ReadonlyMap<number, number>
}

/**
 * The least number of shards such that none is too large. Names whose hashes begin alike share a shard whatever the
 * number, so the number has a limit, computed from the bytes of all bindings and from `before`, the number of shards in
 * which the published bindings fit.
 */
export function fitClients(bindings: readonly ClientBinding[], before = 1): ClientsFit {
  const least = powerOfTwo(bindings.length / CLIENTS_PER_SHARD)
  let most: number | undefined
  for (let count = least; ; count *= 2) {
    const sizes = shardSizes(bindings, count)
    const overfull = new Map([...sizes.entries()].filter(([, size]) => size > SHARD_LIMIT))
    most ??= Math.max(before, powerOfTwo((SPREAD * sizes.reduce((sum, size) => sum + size, 0)) / SHARD_LIMIT))
    if (overfull.size === 0 || count >= most) return { count, overfull }
  }
}

/** Bytes of the text of each shard as stored: quoted brackets, and a comma after each binding except the last. */
function shardSizes(bindings: readonly ClientBinding[], count: number): number[] {
  const sizes = Array.from({ length: count }, () => '"[]"'.length)
  for (const binding of bindings) {
    const number = hashOf(binding) % count
    const size = sizes[number] ?? 0
    sizes[number] = size + storedSize(binding) + (size > '"[]"'.length ? ','.length : 0)
  }
  return sizes
}

/**
 * Encodes bindings in shards by hash of the client id, so that a change of one client gives one new ConfigMap. A shard
 * with exactly the bindings of its last encoding is reused.
 */
export function encodeClients(
  bindings: readonly ClientBinding[],
  formatVersion = FORMAT_VERSION,
  count = fitClients(bindings).count,
): EncodedClients {
  return { shards: distribute(bindings, count).map((members, number) => knownShard(members, number, formatVersion)) }
}

interface KnownShard {
  bindings: readonly ClientBinding[]
  shard: EncodedClients['shards'][number]
}

/** Encoded shards by their first binding: an unchanged shard begins with the same object as before. */
const encodedShards = new WeakMap<ClientBinding, KnownShard>()

function knownShard(bindings: readonly ClientBinding[], number: number, formatVersion: number): KnownShard['shard'] {
  const [first] = bindings
  const known = first && encodedShards.get(first)
  const { shard, bindings: before } = known ?? {}
  const isSame = before?.length === bindings.length && bindings.every((binding, at) => binding === before[at])
  if (isSame && shard?.shard.formatVersion === formatVersion && shard.shard.of === clientShardNumber(number))
    return shard
  const inOrder = [...bindings].sort((a, b) => (a.clientId < b.clientId ? -1 : 1))
  const fresh = clientShard(inOrder, number, formatVersion)
  if (first) encodedShards.set(first, { bindings, shard: fresh })
  return fresh
}

/** The clients index; its digest depends only on the bindings. */
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

/** Number of the shard of a client among `count` shards; `count` is a power of two. */
export function shardOfClient(clientId: string, count: number): number {
  return hashOfKey(clientId) % count
}

const hashes = new WeakMap<ClientBinding, number>()

function hashOf(binding: ClientBinding): number {
  const hash = hashes.get(binding) ?? hashOfKey(binding.clientId)
  hashes.set(binding, hash)
  return hash
}

/** A 32-bit number from a text: the first four bytes of its SHA-256. */
export function hashOfKey(key: string): number {
  return createHash('sha256').update(key, 'utf8').digest().readUInt32BE(0)
}

/** The least power of two that is at least `number`. */
function powerOfTwo(number: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(number)))
}

function distribute(bindings: readonly ClientBinding[], count: number): ClientBinding[][] {
  const shards: ClientBinding[][] = Array.from({ length: count }, () => [])
  for (const binding of bindings) shards[hashOf(binding) % count]?.push(binding)
  return shards
}

function clientShard(bindings: ClientBinding[], number: number, formatVersion: number) {
  // `of` excludes the number of shards, so that the same name always has the same bytes.
  const place = { of: clientShardNumber(number), part: 0, parts: 1 }
  // The canonical text of a list is made of those of its items, and hardly any item is new.
  const text = `[${bindings.map(canonicalBinding).join(',')}]`
  return { ...namedShard({ formatVersion, kind: 'clients', ...place, text }), count: bindings.length, bindings }
}

/** A shard's number as names and `of` write it. */
export function clientShardNumber(number: number): string {
  return String(number).padStart(2, '0')
}
