import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientNamed, startClientsPlace, suspended } from './clients-place.ts'

const NAMESPACE = 'broken-sequence'

let place: Awaited<ReturnType<typeof startClientsPlace>>

beforeAll(async () => {
  place = await startClientsPlace(NAMESPACE)
}, 60_000)
afterAll(() => place.stop())

/** Writes another sequence into a published object, as `kubectl edit` would. */
async function breakSequence(name: string, key: string, breakIn: (content: Record<string, unknown>) => void) {
  const { metadata, data = {} } = (await place.kube.get<V1ConfigMap>(place.mapNamed(name)))!
  const content = JSON.parse(data[key] ?? '') as Record<string, unknown>
  breakIn(content)
  const { labels = {}, uid, resourceVersion } = metadata ?? {}
  const map = { ...place.mapNamed(name), data: { [key]: JSON.stringify(content) } }
  const broken = { ...map, metadata: { ...map.metadata, labels, uid, resourceVersion } }
  await place.kube.apply(broken as never, { fieldManager: 'somebody', force: true })
}

const breakIndex = (sequence: unknown) =>
  breakSequence('driveaway-clients', 'index.json', (index) => void (index['sequence'] = sequence))

test.each([1e21, 2 ** 53 - 1, 2 ** 40, 2 ** 40 - 1, 1.5, '7', null])(
  'an index whose sequence is %j is put right, and a suspension is published',
  async (sequence) => {
    const clients = [clientNamed('a', NAMESPACE), clientNamed('b', NAMESPACE)]
    const { publish } = place.publisherOf(clients)
    const before = (await publish()).index.sequence
    await breakIndex(sequence)
    clients[0] = suspended(clients[0]!)
    const { index } = await publish()
    expect((await place.published(index)).get('a')?.suspended).toBe(true)
    expect(index.sequence).toBe(before + 1)
  },
)

test('a high number that is gone on from is never followed by one that nobody reads', async () => {
  const clients = [clientNamed('a', NAMESPACE)]
  const { publish } = place.publisherOf(clients)
  await publish()
  await breakIndex(2 ** 39)
  for (const turn of [0, 1, 2, 3]) {
    clients[0] = turn % 2 === 0 ? suspended(clients[0]!) : clientNamed('a', NAMESPACE)
    const { index } = await publish()
    expect(index.sequence).toBeLessThan(2 ** 40)
    expect((await place.published(index)).get('a')?.suspended).toBe(turn % 2 === 0)
  }
})

test('a history with such a number is none, with the index broken as well', async () => {
  const clients = [clientNamed('a', NAMESPACE), clientNamed('b', NAMESPACE)]
  const { publish } = place.publisherOf(clients)
  const before = (await publish()).index.sequence
  await breakSequence('driveaway-clients-history', 'history.json', (history) => {
    for (const record of history['records'] as { sequence: number }[]) record.sequence = 1e21
    ;(history['index'] as { sequence: number }).sequence = 1e21
  })
  await breakIndex(1e21)
  clients[0] = suspended(clients[0]!)
  const { index } = await publish()
  expect((await place.published(index)).get('a')?.suspended).toBe(true)
  // The version of the server is above every sequence that there ever was.
  expect(index.sequence).toBeGreaterThan(before)
  expect(index.sequence).toBeLessThan(2 ** 40)
  clients[0] = clientNamed('a', NAMESPACE)
  expect((await publish()).index.sequence).toBe(index.sequence + 1)
})
