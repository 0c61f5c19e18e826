import { decodeClientShard } from './decode.ts'
import { PublishedFault, type ShardTexts } from './shard-text.ts'
import type { ClientBinding, ClientsIndex } from './format.ts'

/** The content of a clients index, as far as its shards could be read. */
export interface DecodedClients {
  byId: Map<string, ClientBinding>
  /** The fault of each unreadable shard, by shard number. */
  lost: ReadonlyMap<number, PublishedFault>
}

/** Decodes a clients index; a shard that was decoded before is not parsed or hashed again. */
export interface DecodeClients {
  (index: ClientsIndex, texts: ShardTexts, pause?: () => Promise<void>): Promise<DecodedClients>
  /** Remembers shards that this process encoded. */
  learn(encoded: Iterable<{ digest: string; bindings: readonly ClientBinding[] }>): void
}

/** Creates a decoder that remembers the shards of the last index it decoded, by digest. */
export function clientsDecoder(): DecodeClients {
  let known = new Map<string, readonly ClientBinding[]>()
  const learn: DecodeClients['learn'] = (encoded) => {
    for (const { digest, bindings } of encoded) known.set(digest, bindings)
  }
  const decode = async (index: ClientsIndex, texts: ShardTexts, pause?: () => Promise<void>) => {
    const bindingsByDigest = new Map<string, readonly ClientBinding[]>()
    const byId = new Map<string, ClientBinding>()
    const lost = new Map<number, PublishedFault>()
    for (const [number, reference] of index.shards.entries()) {
      try {
        const bindings = known.get(reference.digest) ?? decodeClientShard(reference, number, texts)
        bindingsByDigest.set(reference.digest, bindings)
        for (const binding of bindings) byId.set(binding.clientId, binding)
      } catch (error) {
        if (!(error instanceof PublishedFault)) throw error
        lost.set(number, error)
      }
      await pause?.()
    }
    known = bindingsByDigest
    return { byId, lost }
  }
  return Object.assign(decode, { learn })
}
