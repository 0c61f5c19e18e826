import { expect, test } from 'vitest'
import type { Room } from '../../inventory/room.ts'
import { ModelledStores, needsOf } from './modelled-stores.ts'

const KB = 1_000
const ofBatch = (batch: number, items = 100) => needsOf({ batch, job: 4 * KB, usualJob: KB, items })

/** A client that waits for each of its batches. */
function patient(stores: ModelledStores, room: Room, clientId: string) {
  return async (needs: ReturnType<typeof needsOf>, vehicles: string) => {
    const refused = await stores.upload(room, clientId, needs, vehicles)
    while (stores.waiting.length > 0) stores.complete(0, ({ usualJob }) => usualJob)
    stores.now += 1_100
    return refused
  }
}
const shareUsed = (stores: ModelledStores) => stores.usedOf('KV_vehicles') / stores.mostOf('KV_vehicles')

test('many uploads of one small vehicle do not make what a client has look small', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  // Also beside a client whose many vehicles are small.
  for (let at = 0; at < 40; at += 1) await patient(stores, room, 'small')(ofBatch(10 * KB), `${at}`)
  const upload = patient(stores, room, 'greedy')
  let large = 0
  for (let turn = 0; turn < 60; turn += 1) {
    for (let again = 0; again < 25; again += 1) await upload(ofBatch(KB, 1), 'tiny')
    while (large < 4 * turn && (await upload(ofBatch(1_000 * KB, 4), `large-${large}`)) === undefined) large += 1
    for (let at = 0; at < large; at += 1) await upload(ofBatch(1_900 * KB, 4), `large-${at}`)
  }
  expect(large).toBeGreaterThan(5)
  expect(shareUsed(stores)).toBeLessThan(0.85)
  expect(await stores.upload(stores.process(), 'newcomer', ofBatch(1_900 * KB), 'first')).toBeUndefined()
})

test('a client alone, whose vehicles become larger and larger, gets three quarters of them', async () => {
  const stores = new ModelledStores(64)
  const upload = patient(stores, stores.process(), 'alone')
  for (let at = 0; (await upload(ofBatch(400 * KB), `part-${at}`)) === undefined;) at += 1
  for (const size of [600, 900, 1_300, 1_900]) {
    for (let at = 0; at < 40; at += 1) await upload(ofBatch(size * KB), `part-${at}`)
  }
  expect(shareUsed(stores)).toBeGreaterThan(0.6)
  expect(shareUsed(stores)).toBeLessThan(0.95 * 0.75)
})

test('a client that uploads one large vehicle again and again is not refused', async () => {
  const stores = new ModelledStores(64)
  const upload = patient(stores, stores.process(), 'honest')
  for (let at = 0; at < 14; at += 1) await patient(stores, stores.process(), 'other')(ofBatch(1_000 * KB), `${at}`)
  for (let at = 0; at < 100; at += 1) expect(await upload(ofBatch(1_500 * KB, 1), 'large')).toBeUndefined()
})

test('clients that make their vehicles larger and larger leave room for others', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const [one, other] = [patient(stores, room, 'one'), patient(stores, room, 'other')]
  const refusals = new Set<string | undefined>()
  for (let at = 0; at < 40; at += 1) for (const upload of [one, other]) await upload(ofBatch(400 * KB), `part-${at}`)
  for (const size of [600, 900, 1_300, 1_900]) {
    for (let at = 0; at < 40; at += 1) {
      for (const upload of [one, other]) refusals.add(await upload(ofBatch(size * KB), `part-${at}`))
    }
  }
  expect(refusals).toContainEqual(expect.stringMatching(/these would become \d+ bytes larger/))
  expect(shareUsed(stores)).toBeLessThan(0.95 * (1 - 1 / 16))
  expect(await stores.upload(room, 'newcomer', ofBatch(400 * KB), 'first')).toBeUndefined()
})

test('where the vehicles are nearly full, one more digit in each is no growth', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const clients = ['a', 'b', 'c', 'd', 'e'].map((name) => patient(stores, room, name))
  for (const upload of clients) for (let at = 0; (await upload(ofBatch(400 * KB), `part-${at}`)) === undefined;) at += 1
  expect(shareUsed(stores)).toBeGreaterThan(0.95 * (1 - 1 / 16))
  expect(await clients[0]!(ofBatch(402 * KB), 'part-0')).toBeUndefined()
  expect(await clients[0]!(ofBatch(600 * KB), 'part-0')).toContain('bytes larger')
})

test('a batch of old vehicles and a few new ones counts what it adds, and its refusal names the new ones', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const upload = patient(stores, room, 'dealer')
  const half = (stores.mostOf('KV_vehicles') * 0.95) / 2
  const fillTill = async (bytes: number, needs: ReturnType<typeof needsOf>) => {
    for (let at = 0; stores.usedOf('KV_vehicles') + needs.vehicles < bytes; at += 1) {
      expect(await upload(needs, `part-${needs.items}-${at}`)).toBeUndefined()
    }
  }
  await fillTill(half, ofBatch(400 * KB))
  await fillTill(half - 10 * KB, ofBatch(40 * KB, 10))
  const mixed = (sourceIds: string[]) =>
    room.refusal({
      ...{ clientId: 'dealer', clientUid: 'dealer', hasKey: false, needs: ofBatch(400 * KB) },
      ...{ sourceIds, stored: Promise.resolve(undefined) },
    })
  const old = Array.from({ length: 99 }, (_, at) => `part-100-0-${at}`)
  expect(await mixed(['new'])).toContain('(here "new")')
  expect(await mixed([...old, 'new'])).toBeUndefined()
  const others = patient(stores, room, 'other')
  for (let at = 0; (await others(ofBatch(400 * KB), `part-${at}`)) === undefined;) at += 1
  expect(await mixed([...old, 'n1', 'n"2', 'n3', 'n4'])).toContain('for new ones (here "n1", "n\\"2", "n3" and 1 more)')
  expect(await mixed(old)).toBeUndefined()
})

test('while no worker says how large vehicles are, average ones count, and old ones are replaced', async () => {
  const stores = new ModelledStores(64)
  stores.ask = async () => undefined
  const room = stores.process()
  const clients = ['a', 'b', 'c', 'd', 'e'].map((name) => patient(stores, room, name))
  for (const upload of clients) for (let at = 0; (await upload(ofBatch(400 * KB), `p-${at}`)) === undefined;) at += 1
  expect(shareUsed(stores)).toBeGreaterThan(0.95 * (1 - 1 / 16))
  expect(await clients[0]!(ofBatch(400 * KB), 'p-0')).toBeUndefined()
  expect(await clients[0]!(ofBatch(400 * KB), 'new')).toContain('for new ones (here "new-0", ')
})

test.each([100, 250, 300, 450])(
  'a batch that is done between two looks is in one of them: uploads every %i ms stop at the share',
  async (afterMs) => {
    const stores = new ModelledStores(64)
    const room = stores.process()
    const large = ofBatch(1_750 * KB, 20)
    for (const [clients, name] of ['one', 'two', 'three'].entries()) {
      while ((await stores.upload(room, name, large)) === undefined) {
        stores.now += afterMs / 2
        stores.complete(0, ({ usualJob }) => usualJob)
        stores.now += afterMs / 2
      }
      const usable = 0.95 * stores.mostOf('KV_vehicles')
      expect(usable - stores.usedOf('KV_vehicles')).toBeGreaterThanOrEqual(usable / 2 ** (clients + 1) - large.vehicles)
    }
  },
)

test('what a client sends to one process of the API is its share of vehicles in another one', async () => {
  const stores = new ModelledStores(64)
  const [one, two] = [stores.process(), stores.process()]
  const tiny = needsOf({ batch: 3.5 * KB, job: 3 * KB, usualJob: KB, items: 100 })
  await stores.upload(two, 'other', tiny)
  stores.now += 1_100
  for (let at = 0; (await stores.upload(one, 'greedy', tiny)) === undefined; at += 1) stores.now += 3
  stores.now += 1_100
  expect(await stores.upload(two, 'greedy', tiny)).toContain('This client has its share of vehicles.')
})

test('the names and headers of small vehicles that wait are kept free, whoever admitted them', async () => {
  const stores = new ModelledStores(64)
  const [one, two] = [stores.process(), stores.process()]
  // As long as the names of a hundred vehicles, which are fourteen times as long once they are stored.
  const tiny = needsOf({ batch: 3.5 * KB, job: 3 * KB, usualJob: KB, items: 100 })
  for (let client = 0; client < 40; client += 1) {
    for (let at = 0; at < 40; at += 1) await stores.upload(at % 2 ? one : two, `client-${client}`, tiny)
    stores.now += 300
  }
  const largest = Math.max(
    ...(await Promise.all([one, two].map(async (room) => (await room.promised()).get('KV_vehicles')!))),
  )
  while (stores.waiting.length > 0) stores.complete(0, ({ usualJob }) => usualJob)
  expect(shareUsed(stores)).toBeGreaterThan(0.5)
  expect(largest).toBeGreaterThan(shareUsed(stores) * 0.95)
})
