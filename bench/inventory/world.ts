import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** A real nats-server, whose writes are on the disk before they are acknowledged, and the inventory programs. */
export interface World {
  natsPid: number
  inventory: Inventory
  /** Number of batches that are accepted and not completed. */
  waiting(): Promise<number>
  stop(): Promise<void>
}

/** The same with JetStream alone on its server. */
export interface WorldWithRaw extends World {
  raw: RawPeer
}

export async function startWorld(): Promise<WorldWithRaw> {
  let raw: RawPeer | undefined
  const world = await startPrograms(startInventory, async (url) => {
    await makeRawStreams(url, STORAGE)
    raw = await startRawPeer(url)
  })
  const stop = async () => {
    await raw!.stop()
    await world.stop()
  }
  return { ...world, raw: raw!, stop }
}

/** The programs of another checkout, with its packages beside it, on a server of their own. */
export async function startOtherWorld(checkout: string): Promise<World> {
  const file = pathToFileURL(join(checkout, 'bench/inventory/programs.ts')).href
  const other = (await import(file)) as { startInventory: typeof startInventory }
  return startPrograms(other.startInventory)
}

async function startPrograms(start: typeof startInventory, further?: (url: string) => Promise<void>): Promise<World> {
  const folder = temporaryDirectory('bench')
  const nats = await startTestNats({ syncAlways: true })
  const inventory = await start({ natsUrl: nats.url, folder: folder.path, clients: CLIENTS, storage: STORAGE })
  await further?.(nats.url)
  const connection = await connect({ servers: nats.url })
  const { streams } = await jetstreamManager(connection)
  return {
    natsPid: nats.pid(),
    inventory,
    waiting: async () => (await streams.info(BATCHES)).state.messages,
    stop: async () => {
      await connection.close()
      await inventory.stop()
      await nats.close()
      folder.remove()
    },
  }
}
