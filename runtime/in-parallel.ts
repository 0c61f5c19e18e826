/**
 * Runs `work` on every item, at most `limit` at a time. After an error no new item starts; rejects with the first error
 * once the running items have ended.
 */
export async function inParallel<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  let failed: { error: unknown } | undefined
  const worker = async () => {
    for (const item of waiting) {
      if (failed) return
      await work(item).catch((error: unknown) => (failed ??= { error }))
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failed) throw failed.error
}
