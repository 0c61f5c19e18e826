import type { OperatorCheck } from '#crds/operator-checks.ts'
import { HISTORY_OF } from '#rates/published/history.ts'
import { PAGE_OF } from '#rates/published/index-pages.ts'
import { ShardsRefused } from './apply.ts'

/** Why the server refused a shard, by its owner: the name of a set, or the number of a shard of clients. */
export type RefusedShards = ReadonlyMap<string, string>

export const SHARD_REFUSED = 'shard-refused' satisfies OperatorCheck

const REFUSED_AGAIN_MS = 30_000

/**
 * Publishes without the shards that the server refuses, so that everything else is in force, and returns when to try
 * the server again. The index and the history belong to no object and cannot be left out.
 */
export async function publishAllBut<R extends { afterMs?: number }>(
  publish: (refused: RefusedShards) => Promise<R>,
): Promise<{ run: R; refused: RefusedShards }> {
  const refused = new Map<string, string>()
  for (;;) {
    try {
      const run = await publish(refused)
      const afterMs = Math.min(run.afterMs ?? REFUSED_AGAIN_MS, REFUSED_AGAIN_MS)
      return { run: { ...run, ...(refused.size > 0 && { afterMs }) }, refused }
    } catch (error) {
      if (!(error instanceof ShardsRefused)) throw error
      if (error.refused.some(({ of }) => refused.has(of) || of === PAGE_OF || of === HISTORY_OF)) throw error
      for (const { of, message } of error.refused) refused.set(of, message)
    }
  }
}
