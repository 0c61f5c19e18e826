import { randomUUIDv7 } from 'node:crypto'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../inventory/store.ts'
import { createLog } from '../../runtime/log.ts'
import { keyOf } from '../../runtime/nats/key.ts'
import { followQueues } from '../../worker/batches/follow-queues.ts'
import { openTcpGate } from '../harness/tcp-gate.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore } from '../inventory/opened-store.ts'

test('what is stored while the connection is away is listed as soon as it is back', async () => {
  const opened = await openedStore()
  onTestFinished(() => opened.close())
  const gate = await openTcpGate(Number(new URL(opened.nats.url).port))
  onTestFinished(() => gate.close())
  const connection = await connect({ port: gate.port, maxReconnectAttempts: -1, reconnectTimeWait: 1_000 })
  onTestFinished(() => connection.close())
  const store = await openStore(connection)
  const end = new AbortController()
  const lists: ReadonlyMap<string, number>[] = []
  const following = followQueues({
    ...{ store: () => store, repair: () => Promise.resolve(), log: createLog({ name: 'test', level: 'silent' }) },
    ...{ signal: end.signal, told: () => undefined, listed: (counts) => void lists.push(counts) },
  })
  onTestFinished(async () => {
    end.abort()
    await following
  })
  await waitFor('the first list', () => lists.length > 0)
  const listedAt = performance.now()
  gate.cut()
  await opened.store.queue.publish(randomUUIDv7(), '{}', { clientId: 'away', clientUid: 'away', replays: 0 })
  // The next list by the clock would be five seconds after the first.
  await waitFor('the batch in a list', () => lists.some((each) => each.get(keyOf('away')) === 1))
  expect(performance.now() - listedAt).toBeLessThan(4_500)
})
