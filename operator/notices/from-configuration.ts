import type { Registry } from 'prom-client'
import { openOutbox } from '#notices/open-outbox.ts'
import type { Outbox } from '#notices/outbox.ts'
import { noticeStorageSettings } from '#notices/storage-settings.ts'
import type { SigningPair } from '#notices/signing.ts'
import { ConfigurationError } from '#runtime/configuration.ts'
import type { Logger } from '#runtime/log.ts'
import { followNats } from '#runtime/nats/connection.ts'
import { readSigningKey } from '#rates/published/signing-key-file.ts'
import { natsAccess } from '#runtime/nats/settings.ts'
import type { Configuration } from '../configuration.ts'
import { noticesMetrics, type NoticesMetrics } from './metrics.ts'

/** The connection to the outbox, open as long as the program runs. */
export interface Post {
  /** The outbox, with its storage created and checked; undefined while NATS is away. */
  outbox: () => Promise<Outbox> | undefined
  /** The key pair that signs notices. */
  key: () => Promise<SigningPair>
  metrics: NoticesMetrics
  stop: () => Promise<void>
}

/** Connects to the outbox; undefined when notices are off. An unreachable NATS never makes the operator unready. */
export async function postOf(
  configuration: Configuration,
  { log, registry }: { log: Logger; registry: Registry },
): Promise<Post | undefined> {
  if (!configuration.notices) return undefined
  const key = () => readSigningKey(configuration.noticesSigningKeyFile)
  await key().catch((error: Error) => {
    throw new ConfigurationError([`NOTICES_SIGNING_KEY_FILE: ${error.message}`])
  })
  const nats = followNats({ ...natsAccess(configuration), name: 'operator', log })
  const settings = noticeStorageSettings(configuration)
  return {
    key,
    metrics: noticesMetrics(registry, Date.now),
    outbox: () => {
      const connection = nats.connection()
      // Opened for each run, because the storage may have been replaced since the last one.
      return connection && openOutbox(connection, settings)
    },
    stop: () => nats.stop(),
  }
}
