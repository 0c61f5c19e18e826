import type { Registry } from 'prom-client'
import { openOutbox } from '#notices/open-outbox.ts'
import type { Outbox } from '#notices/outbox.ts'
import { noticeStorageSettings } from '#notices/storage-settings.ts'
import type { Logger } from '#runtime/log.ts'
import { followNats } from '#runtime/nats/connection.ts'
import type { Configuration } from '../configuration.ts'
import { noticesMetrics, type NoticesMetrics } from './metrics.ts'

/** The way to the outbox, for as long as the program runs. */
export interface Post {
  /** The outbox, its storage made and checked; undefined while NATS is away. */
  outbox: () => Promise<Outbox> | undefined
  metrics: NoticesMetrics
  stop: () => Promise<void>
}

/** Connects to where notices are put; undefined where nobody is told. Being away never makes the operator unready. */
export function postOf(
  configuration: Configuration,
  { log, registry }: { log: Logger; registry: Registry },
): Post | undefined {
  if (!configuration.notices) return undefined
  const nats = followNats({ url: configuration.natsUrl, name: 'operator', log })
  const settings = noticeStorageSettings(configuration)
  return {
    metrics: noticesMetrics(registry, Date.now),
    outbox: () => {
      const connection = nats.connection()
      // Opened for each run: the storage may have been replaced in between.
      return connection && openOutbox(connection, settings)
    },
    stop: () => nats.stop(),
  }
}
