/** Reads the text of a shard by the name of its ConfigMap; undefined when it is not there. */
export type ReadShard = (name: string, signal?: AbortSignal) => Promise<string | undefined>

/** Reads the texts of shards by their names, until the signal aborts; a shard that is not there is left out. */
export type ReadShards = (names: readonly string[], signal?: AbortSignal) => Promise<ReadonlyMap<string, string>>

/** Shards that are read once, until they are forgotten. */
export interface ShardCache {
  read: ReadShards
  /** Reads all shards again the next time. */
  forget(): void
}

// Shards read at once: a start with dozens of shards is neither a chain of round trips nor a burst.
const AT_ONCE = 8

/**
 * Keeps the shards of the last index that was read whole, and those that were read after it for an index whose reading
 * failed or was aborted. A shard is immutable and named by its content, so it is read once.
 */
export function createShardCache(readOne: ReadShard): ShardCache {
  let whole: ReadonlyMap<string, string> = new Map()
  let begun: ReadonlyMap<string, string> = whole
  const read: ReadShards = async (names, signal) => {
    const texts = new Map<string, string>()
    const absent: string[] = []
    for (const name of names) {
      const text = whole.get(name) ?? begun.get(name)
      if (text === undefined) absent.push(name)
      else texts.set(name, text)
    }
    begun = texts
    const readNext = async () => {
      for (let name = absent.pop(); name !== undefined; name = absent.pop()) {
        signal?.throwIfAborted()
        const text = await readOne(name, signal)
        if (text !== undefined) texts.set(name, text)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, readNext))
    whole = texts
    return texts
  }
  return { read, forget: () => void (whole = begun = new Map()) }
}
