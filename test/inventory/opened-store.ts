import { connect, type NatsConnection } from '@nats-io/transport-node'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import type { InventorySettings, StorageSettings } from '../../inventory/storage.ts'
import { startChartNats } from '../harness/chart-nats.ts'
import type { TestNats } from '../harness/nats.ts'

export const STORAGE: StorageSettings = { replicas: 1, bytes: 1024 ** 3 }

export interface OpenedStore {
  nats: TestNats
  connection: NatsConnection
  store: InventoryStore
  close(): Promise<void>
}

/** A real nats-server with the storage of inventory, and a store on a connection of its own. */
export async function openedStore(change: Partial<InventorySettings> = {}): Promise<OpenedStore> {
  const nats = await startChartNats()
  const connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  await ensureStorage(connection, { ...STORAGE, ...change })
  const store = await openStore(connection)
  return {
    ...{ nats, connection, store },
    close: async () => {
      await connection.close()
      await nats.close()
    },
  }
}
