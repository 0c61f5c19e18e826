import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { BATCHES, consumerOf, declaredStorage, type StorageSettings } from '../../inventory/storage.ts'

export const RAW_BATCHES = 'RAW_BATCHES'
export const RAW_VEHICLES = 'RAW_VEHICLES'
export const RAW_WORKER = 'raw'

/** Creates the streams of the raw peer with the settings of ours. */
export async function makeRawStreams(url: string, storage: StorageSettings): Promise<void> {
  const connection = await connect({ servers: url })
  const manager = await jetstreamManager(connection)
  const settings = (name: string) =>
    declaredStorage(storage, Date.now()).streams.find(({ config }) => config.name === name)?.config
  const batches = { ...settings(BATCHES) }
  delete batches.republish
  await manager.streams.add({ ...batches, name: RAW_BATCHES, subjects: [`${RAW_BATCHES}.*`] })
  await manager.streams.add({ ...settings('KV_vehicles'), name: RAW_VEHICLES, subjects: [`${RAW_VEHICLES}.*`] })
  const { ack_policy, ack_wait, max_deliver } = consumerOf(RAW_WORKER)
  await manager.consumers.add(RAW_BATCHES, { durable_name: RAW_WORKER, ack_policy, ack_wait, max_deliver })
  await connection.close()
}
