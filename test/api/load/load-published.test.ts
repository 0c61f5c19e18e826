import { expect, test } from 'vitest'
import { indexConfigMap } from '#rates/published/config-map.ts'
import { encodeClients, encodeClientsIndex, shardOfClient } from '#rates/published/encode-clients.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { createClientsLoader } from '../../../api/load/load-published.ts'
import { createShardCache } from '../../../api/load/shard-cache.ts'

const binding = (number: number): ClientBinding => ({
  ...{ clientId: `client-${number}`, uid: `uid-${number}`, displayName: 'Motors', showroomCodes: ['MEL01'] },
  ...{ grants: ['pricing:quote'], suspended: false, secrets: [], jwks: [], subjects: [] },
})

/** A loader on a place to publish to, and the names of the shards that it reads. */
function place() {
  const shards = new Map<string, string>()
  const read: string[] = []
  const readShard = (name: string) => {
    read.push(name)
    return Promise.resolve(shards.get(name))
  }
  const load = createClientsLoader(createShardCache(readShard).read, createShardCache(readShard).read)
  const publish = (bindings: ClientBinding[], sequence: number) => {
    const encoded = encodeClients(bindings)
    for (const { name, shard } of encoded.shards) shards.set(name, JSON.stringify(shard))
    read.length = 0
    return load(indexConfigMap('driveaway', encodeClientsIndex(encoded.shards, sequence)).data['index.json'] ?? '')
  }
  return { publish, read }
}

test('of a change of one client only its shard is read and parsed', async () => {
  const { publish, read } = place()
  const bindings = Array.from({ length: 4000 }, (_, number) => binding(number))
  const before = await publish(bindings, 1)
  expect(read).toHaveLength(4)
  bindings[7] = { ...binding(7), suspended: true }
  const after = await publish(bindings, 2)
  expect(read).toHaveLength(1)
  expect(after.byId.get('client-7')?.suspended).toBe(true)
  const own = shardOfClient('client-7', 4)
  const parsedAnew = [...after.byId].filter(([id, held]) => held !== before.byId.get(id)).map(([id]) => id)
  expect(parsedAnew).toHaveLength(bindings.filter(({ clientId }) => shardOfClient(clientId, 4) === own).length)
})
