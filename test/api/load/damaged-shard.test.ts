import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { INDEX_KEY, indexConfigMap, SHARD_KEY, shardConfigMap } from '#rates/published/config-map.ts'
import { encodeClients, encodeClientsIndex } from '#rates/published/encode-clients.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import type { NamedShard } from '#rates/published/encode-rates.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createHolder } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { binding } from '../pricing-server.ts'
import { publishedVictoria } from '../victorian-rates.ts'
import { CONFIG_MAPS, startPublishPlace, type PublishPlace } from './publish-place.ts'

let place: PublishPlace
beforeAll(async () => {
  place = await startPublishPlace()
}, 120_000)
afterAll(() => place.cluster.stop())
afterEach(() => place.kube('DELETE', CONFIG_MAPS))

const clients = () => {
  const { shards } = encodeClients([binding('dealer')])
  return { shards, index: encodeClientsIndex(shards, 1) }
}
const rates = () => {
  const sets = publishedVictoria('8.40')
  const entries = sets.map(({ entry }) => entry)
  return { shards: sets.flatMap((set) => set.shards), index: encodeRatesIndex(entries, 1) }
}

const kinds: ['clients' | 'rates', () => { shards: readonly NamedShard[]; index: ClientsIndex | RatesIndex }][] = [
  ['clients', clients],
  ['rates', rates],
]

test.each(kinds)(
  'of %s, a damaged shard is read again when the right one is in its place, under the same index',
  async (kind, made) => {
    const { shards, index } = made()
    const [damaged, ...others] = shards.map((shard) => shardConfigMap('driveaway', shard))
    for (const shard of others) await place.put(shard)
    await place.put({ ...damaged!, data: { [SHARD_KEY]: damaged!.data[SHARD_KEY]!.replace(/[0-9]/, 'x') } })
    const { data, ...indexed } = indexConfigMap('driveaway', index)
    await place.put({ ...indexed, data: { [INDEX_KEY]: data[INDEX_KEY]! } })
    const faults: unknown[] = []
    const holder = createHolder((_part, error) => faults.push(error))
    const log = createLog({ name: 'test', level: 'silent' })
    const kube = kubeOf(place.cluster.kubeConfig)
    const source = startKubernetesSource({ kube, namespace: 'driveaway', log, holder, parts: [kind] })
    try {
      await waitFor('a fault', () => faults.length > 1)
      await place.kube('DELETE', `${CONFIG_MAPS}/${damaged!.metadata.name}`)
      await place.put(damaged!)
      await waitFor('the content', () => holder.read()[kind] !== undefined && holder.read()[kind])
      if (kind === 'rates') await waitFor('all of it', () => holder.read().rates?.fault === undefined)
      expect(holder.read()[kind]?.sequence).toBe(1)
    } finally {
      await source.stop()
    }
  },
  60_000,
)
