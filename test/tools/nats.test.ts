import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { processIdentity } from '../../tools/stack/process-identity.ts'
import { startTestNats } from '../harness/nats.ts'

test('what JetStream acknowledged is there after a kill, at the same address', async () => {
  const server = await startTestNats()
  const before = await connect({ servers: server.url })
  expect(before.info?.max_payload).toBeGreaterThanOrEqual(4 * 1024 * 1024)
  await (await jetstreamManager(before)).streams.add({ name: 'batches', subjects: ['batches.>'] })
  await jetstream(before).publish('batches.1', 'first')
  await before.close()
  await server.kill()
  await server.start()
  const after = await connect({ servers: server.url })
  const stream = await (await jetstreamManager(after)).streams.info('batches')
  expect(stream.state.messages).toBe(1)
  await after.close()
  const pid = server.pid()
  await server.close()
  expect(processIdentity(pid)).toBeUndefined()
})
