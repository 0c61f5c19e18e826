import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isMessageMissing } from '../../../runtime/nats/jetstream-error.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'

let nats: TestNats
let connection: NatsConnection
let manager: JetStreamManager
beforeEach(async () => {
  nats = await startTestNats()
  connection = await connect({ servers: nats.url })
  manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'S', subjects: ['s'] })
  for (let n = 1; n <= 5; n += 1) await manager.jetstream().publish('s')
})
afterEach(async () => {
  await connection.close()
  await nats.close()
})

const remove = async (sequence: number): Promise<'removed' | 'missing'> => {
  try {
    await manager.streams.deleteMessage('S', sequence, false)
    return 'removed'
  } catch (error) {
    if (isMessageMissing(error)) return 'missing'
    throw error
  }
}

test.each([
  ['the first', 1],
  ['one in the middle', 3],
  ['the last', 5],
])('a message that another has removed meanwhile is missing: %s', async (_, sequence) => {
  expect([await remove(sequence), await remove(sequence)]).toEqual(['removed', 'missing'])
})

test('a message of an empty stream is missing, and so is one that is not stored yet', async () => {
  expect(await remove(6)).toBe('missing')
  await manager.streams.purge('S')
  expect([await remove(5), await remove(6)]).toEqual(['missing', 'missing'])
})

test('no message is missing where the stream is, or where it takes no deletions', async () => {
  await manager.streams.add({ name: 'SEALED', subjects: ['sealed'], deny_delete: true })
  await manager.jetstream().publish('sealed')
  for (const stream of ['NONE', 'SEALED']) {
    const error: unknown = await manager.streams.deleteMessage(stream, 1, false).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(isMessageMissing(error)).toBe(false)
  }
})
