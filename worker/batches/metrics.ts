import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ContentFault, ContentModerator, Moderation } from '../moderation/types.ts'

export interface DeliveryMetrics {
  /** How a message ended, with the seconds since its delivery. */
  ended(end: string, seconds: number): void
  delivered(isAgain: boolean): void
  /** Batches that this worker has now. */
  holding(count: number): void
}

/** Counts deliveries and their outcomes. */
export function deliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry]
  const delivered = new Counter({
    name: 'driveaway_batch_deliveries_total',
    help: 'Batches delivered to this worker; again is true if the server had delivered the batch to some worker before.',
    labelNames: ['again'] as const,
    registers,
  })
  const ended = new Histogram({
    name: 'driveaway_batch_seconds',
    help: 'Seconds from the start of work on a batch to the acknowledgement of its message.',
    labelNames: ['end'] as const,
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
    registers,
  })
  const inHand = new Gauge({
    name: 'driveaway_batches_in_hand',
    help: 'Batches in progress in this worker, including those that wait for pictures.',
    registers,
  })
  return {
    holding: (count) => inHand.set(count),
    delivered: (isAgain) => delivered.inc({ again: String(isAgain) }),
    ended: (end, seconds) => ended.observe({ end }, seconds),
  }
}

function resultOf([first]: readonly ContentFault[]): string {
  if (!first) return 'accepted'
  return first.isFlag ? 'flagged' : first.code
}

/** The same moderation, with results counted and durations measured. */
export function measured({ content, images }: Moderation, registry: Registry): Moderation {
  const results = new Counter({
    name: 'driveaway_moderation_results_total',
    help: 'Moderated items and pictures by result: accepted, flagged, or the code of the first fault.',
    labelNames: ['kind', 'result'] as const,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'driveaway_moderation_seconds',
    help: 'Seconds that the moderation of the texts of an item, or of a picture, took, including the wait for a turn.',
    labelNames: ['kind'] as const,
    buckets: [0.0005, 0.005, 0.05, 0.25, 1, 5, 15, 60],
    registers: [registry],
  })
  return {
    content: told(content, (faults, start) => {
      seconds.observe({ kind: 'content' }, (performance.now() - start) / 1000)
      results.inc({ kind: 'content', result: resultOf(faults) })
    }),
    images: {
      judge: async (image) => {
        const end = seconds.startTimer({ kind: 'image' })
        const verdict = await images.judge(image)
        end()
        results.inc({ kind: 'image', result: verdict.accepted ? 'accepted' : verdict.code })
        return verdict
      },
    },
  }
}

/** The same moderator, which tells what it found in each item and when it began. */
function told(
  content: ContentModerator,
  tell: (faults: readonly ContentFault[], start: number) => void,
): ContentModerator {
  const check: ContentModerator['check'] = (...args) => {
    const start = performance.now()
    const faults = content.check(...args)
    tell(faults, start)
    return faults
  }
  if (!content.checkLong) return { check }
  const checkLong: ContentModerator['checkLong'] = async (item) => {
    const start = performance.now()
    const faults = await content.checkLong!(item)
    tell(faults, start)
    return faults
  }
  return { check, checkLong }
}
