import { collectDefaultMetrics, Registry } from 'prom-client'
import { storageSettings } from '#inventory/storage-settings.ts'
import { followInventory } from '#inventory/store.ts'
import { showBuild } from '#runtime/build-info.ts'
import { startHealth } from '#runtime/health.ts'
import type { Logger } from '#runtime/log.ts'
import { driftMetrics } from '#runtime/nats/drift.ts'
import { natsAccess } from '#runtime/nats/settings.ts'
import { startTracing } from '#runtime/tracing/settings.ts'
import type { StopStep } from '#runtime/shutdown.ts'
import type { TurnLimits } from './batches/client-turns.ts'
import { showInventory } from '#inventory/stored-metrics.ts'
import { deliveryMetrics, measured } from './batches/metrics.ts'
import { receiveBatches } from './batches/receive-batches.ts'
import type { Configuration } from './configuration.ts'
import { RETRY_PACE, retryLatePictures } from './late-pictures/retry-late-pictures.ts'
import { startMail } from './mail/start.ts'
import { picturesOfOneAlone } from './moderation/images/image-limits.ts'
import type { Moderation } from './moderation/types.ts'
import { answerStoredBytes } from './stored-bytes/answer-stored-bytes.ts'

/**
 * Batches that wait for pictures and occupy no place, and their bytes: a parsed batch takes several times its bytes.
 */
const LOADING = 256
const LOADING_BYTES = 48 * 1024 * 1024

/** Starts the work and the health port; returns the steps that stop them, in order. */
export async function startWorker(
  configuration: Readonly<Configuration>,
  moderation: Moderation,
  log: Logger,
): Promise<StopStep[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  showBuild(registry, 'worker')
  const { healthHost: host, healthPort: port, graceSeconds } = configuration
  const nats = followNats(configuration, registry, log)
  showInventory(registry, () => nats.store())
  // The API has decided which requests are traced.
  const tracing = await startTracing(configuration, { service: 'worker', followsCaller: true, log })
  const stored = { store: () => nats.store(), repair: () => nats.repair(), log }
  const judging = measured(moderation, registry)
  const late = retryLatePictures({ ...stored, images: judging.images, pace: RETRY_PACE })
  const work = receiveBatches({
    ...stored,
    tracing,
    moderation: judging,
    metrics: deliveryMetrics(registry),
    limits: turnLimits(configuration),
    picturesOfOneClient: picturesOfOne(configuration),
  })
  const mail = await startMail({ configuration, registry, log })
  const ready = () => (nats.ready().ok && mail ? mail.ready() : nats.ready())
  const health = await startHealth({ host, port, registry, ready })
  log.info({ port: health.port }, 'health')
  const all = [work, late, answerStoredBytes(stored), mail]
  return [
    // At the same time: all share one grace period.
    { name: 'work', stop: async () => void (await Promise.all(all.map((each) => each?.stop(graceSeconds * 1000)))) },
    { name: 'nats', stop: () => nats.stop() },
    ...(tracing ? [{ name: 'traces', stop: tracing.stop }] : []),
    { name: 'health', stop: () => health.close() },
  ]
}

function followNats(configuration: Readonly<Configuration>, registry: Registry, log: Logger) {
  const [storage, drift] = [storageSettings(configuration), driftMetrics(registry)]
  return followInventory({ ...natsAccess(configuration), name: 'driveaway-worker', log, storage, drift, role: 'owner' })
}

const picturesOfOne = ({ imagesAtOnce: atOnce, imagesOfOneClient: ofOneClient }: Configuration): number =>
  picturesOfOneAlone({ atOnce, ofOneClient })

function turnLimits({ batchesAtOnce: running, batchesOfOneClient: runningOfOne }: Configuration): TurnLimits {
  return { running, runningOfOne, loading: LOADING, loadingBytes: LOADING_BYTES }
}
