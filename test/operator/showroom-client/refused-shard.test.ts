import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shardOfClient } from '#rates/published/encode-clients.ts'
import { clientNamed, startClientsPlace, suspended } from './clients-place.ts'

const NAMESPACE = 'refused-shard'
const COUNT = 1100

let place: Awaited<ReturnType<typeof startClientsPlace>>

beforeAll(async () => {
  place = await startClientsPlace(NAMESPACE)
}, 60_000)
afterAll(() => place.stop())

test('a shard that is refused is the fault of the clients that it would change, and the other shards are published', async () => {
  const clients = Array.from({ length: COUNT }, (_, number) => clientNamed(`client-${number}`, NAMESPACE))
  const { kube, mapNamed, published } = place
  const { ledger, publish, conditionsOf } = place.publisherOf(clients)
  await publish()
  const inShard = (shard: number) => clients.findIndex(({ metadata }) => shardOfClient(metadata.name, 2) === shard)
  const [first, other] = [inShard(0), inShard(1)]
  const [a, b] = [clients[first]!, clients[other]!]

  // What the shard of the suspension will be called is taken by what nobody can delete.
  clients[first] = suspended(a)
  const { index } = await publish()
  const taken = index.shards[0]?.name ?? ''
  clients[first] = a
  await publish()
  await kube.delete(mapNamed(taken))
  const stays = { ...mapNamed(taken), metadata: { ...mapNamed(taken).metadata, finalizers: ['example.com/stays'] } }
  await kube.create<V1ConfigMap>(stays)

  clients[first] = suspended(a)
  clients[other] = suspended(b)
  const run = await publish()
  const byId = await published(run.index)
  expect([byId.get(a.metadata.name)?.suspended, byId.get(b.metadata.name)?.suspended]).toEqual([false, true])
  expect(byId.size).toBe(COUNT)
  expect(run.afterMs).toBe(30_000)
  const message = `spec: ConfigMap ${taken} cannot be written: another object has this name; delete that object (shard-refused)`
  expect(conditionsOf(a.metadata.name)).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'CheckFailed', message },
    { type: 'Published', status: 'True', reason: 'LastGood' },
    { type: 'Loaded', status: 'False', reason: 'Held' },
    { type: 'Stalled', status: 'True', message },
  ])
  expect(conditionsOf(b.metadata.name)).toMatchObject([{ type: 'Ready', status: 'True' }, {}, {}])
  expect(ledger.refused?.size).toBe(1)

  // The operator has asked for its deletion by now.
  const reference = mapNamed(taken)
  await kube.patchMetadata(reference, { finalizers: [] } as never, { fieldManager: 'test' })
  const { index: mended } = await publish()
  expect((await published(mended)).get(a.metadata.name)?.suspended).toBe(true)
  expect(ledger.refused?.size).toBe(0)
}, 60_000)
