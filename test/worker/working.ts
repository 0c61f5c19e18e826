import { Registry } from 'prom-client'
import type { InventoryStore } from '../../inventory/store.ts'
import { createLog } from '../../runtime/log.ts'
import type { Tracing } from '../../runtime/tracing/trace.ts'
import type { TurnLimits } from '../../worker/batches/client-turns.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { STORAGE } from '../inventory/opened-store.ts'
import { deliveryMetrics, measured } from '../../worker/batches/metrics.ts'
import type { ContentFault, ImageVerdict, Moderation } from '../../worker/moderation/types.ts'
import { retryLatePictures, type RetryPace } from '../../worker/late-pictures/retry-late-pictures.ts'
import { receiveBatches } from '../../worker/batches/receive-batches.ts'
import { answerStoredBytes } from '../../worker/stored-bytes/answer-stored-bytes.ts'
import type { Work } from '../../worker/work.ts'

export const LIMITS: TurnLimits = { running: 32, runningOfOne: 4, loading: 256, loadingBytes: 48 * 1024 * 1024 }

/** Moderation by rules that a test can see: the word `forbidden` in a description, and pictures by their path. */
export function visibleModeration(judge: (src: string) => Promise<ImageVerdict> = judgeByPath): Moderation {
  return {
    content: {
      check: ({ vehicle }): ContentFault[] =>
        String(vehicle['description'] ?? '').includes('forbidden')
          ? [{ path: '/vehicle/description', code: 'PROFANITY', message: 'forbidden' }]
          : [],
    },
    images: {
      judge: ({ src, signal }) => {
        signal.throwIfAborted()
        return judge(src)
      },
    },
  }
}

async function judgeByPath(src: string): Promise<ImageVerdict> {
  return src.includes('bad') ? { accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' } : { accepted: true }
}

/** Late pictures are tried soon, so that a test does not wait. */
export const SOON: RetryPace = { firstMs: 300, longestMs: 500, keptMs: 86_400_000 }

export interface Working extends Work {
  registry: Registry
}

/** A worker in this process, over a store. */
export function startWorking(
  store: () => InventoryStore | undefined,
  moderation: Moderation = visibleModeration(),
  limits: Partial<TurnLimits> = {},
  { tracing, pace = SOON }: { tracing?: Tracing; pace?: RetryPace } = {},
): Working {
  const registry = new Registry()
  const log = createLog({ name: 'test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const repair = async () => {
    const held = store()
    if (held) await ensureStorage(held.connection, STORAGE)
  }
  const judging = measured(moderation, registry)
  const late = retryLatePictures({ store, repair, log, images: judging.images, pace })
  const answering = answerStoredBytes({ store, log })
  const work = receiveBatches({
    ...{ store, repair, log, moderation: judging, metrics: deliveryMetrics(registry) },
    limits: { ...LIMITS, ...limits },
    picturesOfOneClient: 6,
    tracing,
  })
  const all = [work, late, answering]
  return { registry, stop: async (graceMs) => void (await Promise.all(all.map((each) => each.stop(graceMs)))) }
}
