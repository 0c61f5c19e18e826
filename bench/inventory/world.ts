import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { BATCHES, type StorageSettings } from '../../inventory/storage.ts'
import { startTestNats } from '../../test/harness/nats.ts'
import { temporaryDirectory } from '../../test/harness/temporary-directory.ts'
import { startInventory, type Inventory } from './programs.ts'
import { startRawPeer, type RawPeer } from './raw.ts'
import { makeRawStreams } from './raw-streams.ts'

const STORAGE: StorageSettings = { replicas: 1, bytes: 1024 ** 3 }
const CLIENTS = 8

/** A real nats-server with the inventory programs, and JetStream alone for comparison. */
export interface World {
  natsPid: number
  inventory: Inventory
  raw: RawPeer
  /** Number of batches that are accepted and not completed. */
  waiting(): Promise<number>
  stop(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const folder = temporaryDirectory('bench')
  const nats = await startTestNats()
  const inventory = await startInventory({ natsUrl: nats.url, folder: folder.path, clients: CLIENTS, storage: STORAGE })
  await makeRawStreams(nats.url, STORAGE)
  const raw = await startRawPeer(nats.url)
  const connection = await connect({ servers: nats.url })
  const { streams } = await jetstreamManager(connection)
  return {
    natsPid: nats.pid(),
    inventory,
    raw,
    waiting: async () => (await streams.info(BATCHES)).state.messages,
    stop: async () => {
      await connection.close()
      await raw.stop()
      await inventory.stop()
      await nats.close()
      folder.remove()
    },
  }
}
