import { connect } from '@nats-io/transport-node'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { startTestNats } from '../harness/nats.ts'
import { startUploadServer, type UploadServer } from './uploads.ts'

export const MEGABYTE = 1024 * 1024

/** A small store on a real nats-server, and the API on it: the queue has 16 MB, vehicles 32, jobs 6.4, keys 2.56. */
export interface SmallInventory {
  store: InventoryStore
  server: UploadServer
  messages(stream: string): Promise<number>
  bytes(stream: string): Promise<number>
  upload(clientId: string, body: unknown): Promise<{ status: number; body: object }>
  close(): Promise<void>
}

export async function startSmallInventory(): Promise<SmallInventory> {
  const nats = await startTestNats()
  const connection = await connect({ servers: nats.url })
  await ensureStorage(connection, { replicas: 1, bytes: 64 * MEGABYTE })
  const store = await openStore(connection)
  const server = await startUploadServer(() => store)
  const stateOf = async (stream: string) => (await store.manager.streams.info(stream)).state
  return {
    ...{ store, server },
    messages: async (stream) => (await stateOf(stream)).messages,
    bytes: async (stream) => (await stateOf(stream)).bytes,
    upload: async (clientId, body) => {
      const answer = await server.post(body, { authorization: `Bearer ${await server.token(clientId)}` })
      return { status: answer.status, body: (await answer.json()) as object }
    },
    close: async () => {
      await server.close()
      await connection.close()
      await nats.close()
    },
  }
}
