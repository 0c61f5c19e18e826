import { setTimeout as sleep } from 'node:timers/promises'
import type { KV } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import type { JetStreamManager } from '@nats-io/jetstream'
import { vehiclesIn } from '../../inventory/vehicles.ts'
import { asWritten, storedVehicle } from './stored-vehicle.ts'

/** A bucket that says how many vehicles were between their read and their write at most, on a server that gives no batch of them. */
function countedBucket() {
  let now = 0
  const stored: string[] = []
  const count = { most: 0, stored }
  const bucket = {
    get: async () => {
      now += 1
      count.most = Math.max(count.most, now)
      await sleep(5)
      return null
    },
    put: async (_key: string, text: string) => {
      await sleep(5)
      now -= 1
      return stored.push(text)
    },
  }
  const getLastMessagesFor = async (_stream: string, { callback }: { callback: (done: object) => void }) =>
    callback({ err: new Error('no answer') })
  const manager = { streams: {}, direct: { getLastMessagesFor } } as unknown as JetStreamManager
  return { count, vehicles: vehiclesIn(bucket as unknown as KV, { connection: {} as NatsConnection, manager }) }
}

const batchOf = (client_id: string, name: string) =>
  Array.from({ length: 20 }, (_none, index) =>
    asWritten({ ...storedVehicle(`${name}-${index}`, { index }), client_id }),
  )
const six = (client: string) => Array.from({ length: 6 }, (_, n) => batchOf(client, `${client}-${n}`))

test('batches whose vehicles are stored one by one have sixteen of them in memory together, however many batches there are', async () => {
  const { count, vehicles } = countedBucket()
  const { signal } = new AbortController()
  const batches = ['one', 'two', 'three', 'four', 'five'].flatMap(six)
  await Promise.all(batches.map((each) => vehicles.storeAll(each, signal)))
  expect(count.most).toBe(16)
  expect(count.stored.sort()).toEqual(batches.flatMap((each) => each.map(({ text }) => text)).sort())
})

test('while the batches of one client are stored one by one, a vehicle of another is stored at once', async () => {
  const { count, vehicles } = countedBucket()
  const { signal } = new AbortController()
  const busy = Promise.all(six('busy').map((each) => vehicles.storeAll(each, signal)))
  const [calm] = batchOf('calm', 'calm')
  await vehicles.storeAll([calm!], signal)
  expect(count.most).toBeLessThanOrEqual(13)
  expect(count.stored.length).toBeLessThanOrEqual(26)
  await busy
})
