/** Reads the text of a shard by the name of its ConfigMap; undefined when it is not there. */
export type ReadShard = (name: string) => Promise<string | undefined>

// Shards read at once: a start with dozens of shards is neither a chain of round trips nor a burst.
const AT_ONCE = 8

/** Keeps the shards of the last index; a shard is immutable and named by its content, so it is read once. */
export function createShardCache(read: ReadShard): (names: readonly string[]) => Promise<ReadonlyMap<string, string>> {
  let kept: ReadonlyMap<string, string> = new Map()
  return async (names) => {
    const texts = new Map<string, string>()
    const absent: string[] = []
    for (const name of names) {
      const text = kept.get(name)
      if (text === undefined) absent.push(name)
      else texts.set(name, text)
    }
    const readNext = async () => {
      for (let name = absent.pop(); name !== undefined; name = absent.pop()) {
        const text = await read(name)
        if (text !== undefined) texts.set(name, text)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, readNext))
    kept = texts
    return texts
  }
}
