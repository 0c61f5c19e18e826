import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '#runtime/log.ts'
import { streamInfo, type StorageRole } from '#runtime/nats/ensure-storage.ts'
import { BUCKETS, KEPT_DAYS, type InventorySettings } from './storage.ts'

/** The settings with the days for which vehicles are kept now; `settled` is called after they were ensured. */
export interface FollowedKeptDays {
  settings(connection: NatsConnection): Promise<InventorySettings>
  settled(): void
}

/**
 * Whose value of the days holds: that of the worker that started last. Each worker sets its own once and then leaves what another
 * has set, and the API writes none, so that two values do not replace each other for ever. Whoever has another one says so once.
 */
export function followKeptDays(own: InventorySettings, role: StorageRole, log: Logger): FollowedKeptDays {
  const { vehiclesKeptDays: here = 0 } = own
  let mayReplace = role === 'owner'
  let told = here
  return {
    settings: async (connection) => {
      const stored = mayReplace ? undefined : await storedDays(connection)
      const days = stored ?? here
      if (days !== here && days !== told)
        log.warn(
          { stored: days, here },
          `vehicles are kept for ${inWords(days)}, as another program has set it; VEHICLES_KEPT_DAYS of this one is ${here}, and does not hold`,
        )
      told = days
      return { ...own, vehiclesKeptDays: days }
    },
    settled: () => {
      mayReplace = false
    },
  }
}

const inWords = (days: number): string => (days === 0 ? 'ever (0)' : `${days} days`)

/** What a worker has set, whatever age somebody gave the bucket since; undefined where none has. */
async function storedDays(connection: NatsConnection): Promise<number | undefined> {
  const config = (await streamInfo(await jetstreamManager(connection), `KV_${BUCKETS.vehicles}`))?.config
  const days = Number(config?.metadata?.[KEPT_DAYS] ?? NaN)
  return Number.isFinite(days) && days >= 0 ? days : undefined
}
