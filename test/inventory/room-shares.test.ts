import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Room } from '../../inventory/room.ts'
import { MEGABYTE, ModelledStores, needsOf, type Needs } from './modelled-stores.ts'

const KB = 1_000
/** A hundred vehicles with twenty pictures each, five with five, and a hundred without pictures. */
const heavy = needsOf({ batch: 200 * KB, job: 150 * KB, usualJob: 120 * KB, items: 100 })
const usual = needsOf({ batch: 5 * KB, job: 6 * KB, usualJob: 3 * KB, items: 5 })
const texts = needsOf({ batch: 60 * KB, job: 34 * KB, usualJob: 1 * KB, items: 100 })
const share = (what: string) => expect.stringMatching(`^This client has its share of ${what}[.;] `) as unknown as string

/** Uploads until the client is refused, at most so often; returns how many were accepted, and the refusal. */
async function fill(stores: ModelledStores, room: Room, [clientId, needs, most]: readonly [string, Needs, number]) {
  for (let accepted = 0; accepted < most; accepted += 1) {
    const refused = await stores.upload(room, clientId, needs)
    if (refused !== undefined) return { accepted, refused }
    stores.now += 3
  }
  return { accepted: most, refused: undefined }
}

test('waiting batches of one client with long jobs refuse that client, and no other, at the default sizes', async () => {
  const stores = new ModelledStores(4_096)
  const room = stores.process()
  const { accepted, refused } = await fill(stores, room, ['greedy', heavy, 9_900])
  expect(refused).toEqual(share('jobs'))
  expect(accepted).toBeGreaterThan(1_200)
  for (const needs of [usual, texts, heavy]) expect(await stores.upload(room, 'other', needs)).toBeUndefined()
})

test('with 12,000 usual batches of one client waiting, another client is admitted, and so is the first', async () => {
  const stores = new ModelledStores(4_096)
  const room = stores.process()
  expect(await fill(stores, room, ['slow', usual, 12_000])).toMatchObject({ accepted: 12_000 })
  expect(await stores.upload(room, 'other', texts)).toBeUndefined()
  expect(await stores.upload(room, 'slow', usual)).toBeUndefined()
})

test('after five greedy clients in a row, a sixth with nothing still gets in, in a store of 64 MB', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  for (const needs of [heavy, texts, usual]) {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await fill(stores, room, [name, needs, 3_000])
  }
  expect(await stores.upload(room, 'newcomer', texts)).toBeUndefined()
})

test('where others fill 69 % of the vehicles, the queue of a third client refuses that client alone', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const large = needsOf({ batch: 800 * KB, job: 8 * KB, usualJob: KB, items: 20 })
  for (let upload = 0; upload < 24; upload += 1) {
    await stores.upload(room, `owner-${upload % 6}`, large)
    stores.complete(0)
    stores.now += 1_100
  }
  const { refused } = await fill(stores, room, ['third', needsOf({ ...large, batch: 400 * KB }), 60])
  expect(refused).toEqual(share('vehicles'))
  await fill(stores, room, ['third', needsOf({ ...large, batch: 20 * KB, items: 1 }), 60])
  for (const name of ['owner-1', 'newcomer']) {
    expect(await stores.upload(room, name, needsOf({ ...large, batch: 40 * KB, items: 1 }))).toBeUndefined()
  }
})

test('with two processes of the API, what a client sent to one is its share in the other, and nobody else is refused', async () => {
  const stores = new ModelledStores(64)
  const [one, other] = [stores.process(), stores.process()]
  await fill(stores, one, ['greedy', heavy, 100])
  stores.now += 1_100
  await fill(stores, other, ['greedy', heavy, 100])
  stores.now += 1_100
  for (const room of [one, other]) {
    expect(await stores.upload(room, 'newcomer', texts)).toBeUndefined()
    expect(await stores.upload(room, 'greedy', heavy)).toEqual(share('jobs'))
  }
})

test('with three processes and uploads to each in turn, three greedy clients fill no store, and a fourth gets in', async () => {
  const stores = new ModelledStores(64)
  const rooms = [stores.process(), stores.process(), stores.process()]
  for (const name of ['a', 'b', 'c']) {
    for (let refused = 0, upload = 0; refused < 6 && upload < 200; upload += 1) {
      if ((await stores.upload(rooms[upload % 3]!, name, heavy)) !== undefined) refused += 1
      stores.now += 300
    }
  }
  stores.now += 1_100
  for (const room of rooms) expect(await stores.upload(room, `newcomer-${rooms.indexOf(room)}`, texts)).toBeUndefined()
  while (stores.waiting.length > 0) stores.complete(0)
  stores.now += 1_100
  expect(await stores.upload(rooms[0]!, 'another', texts)).toBeUndefined()
})

test('a few long jobs here say nothing of the many small batches of another client elsewhere', async () => {
  const stores = new ModelledStores(64)
  const [one, other] = [stores.process(), stores.process()]
  await fill(stores, other, ['slow', usual, 200])
  stores.now += 1_100
  expect(await fill(stores, one, ['heavy', heavy, 3])).toMatchObject({ accepted: 3 })
  stores.now += 1_100
  expect(await stores.upload(one, 'newcomer', texts)).toBeUndefined()
})

test('what others have stored since keeps no client from replacing its vehicles, and from new ones it does', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const part = needsOf({ batch: 400 * KB, job: 33 * KB, usualJob: KB, items: 100 })
  const store = async (name: string, most: number) => {
    for (let at = 0; at < most; at += 1) {
      if ((await stores.upload(room, name, part, `${name}-${at}`)) !== undefined) return at
      while (stores.waiting.length > 0) stores.complete(0, ({ usualJob }) => usualJob)
      stores.now += 1_100
    }
    return most
  }
  const parts = Math.floor((0.33 * stores.mostOf('KV_vehicles')) / part.vehicles)
  expect(await store('first', parts)).toBe(parts)
  expect(await store('second', 200)).toBeLessThan(200)
  for (let at = 0; at < parts; at += 1) {
    expect(await stores.upload(room, 'first', part, `first-${at}`)).toBeUndefined()
    while (stores.waiting.length > 0) stores.complete(0, ({ usualJob }) => usualJob)
    stores.now += 1_100
  }
  expect(await stores.upload(room, 'first', part, 'new')).toContain('This client has its share of vehicles.')
  expect(await stores.upload(room, 'third', part, 'third')).toBeUndefined()
})

test('a client that filled its share with new vehicles can still replace them', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const part = needsOf({ batch: 400 * KB, job: 33 * KB, usualJob: KB, items: 100 })
  const done = () => {
    while (stores.waiting.length > 0) stores.complete(0, ({ usualJob }) => usualJob)
    stores.now += 1_100
  }
  let parts = 0
  for (; (await stores.upload(room, 'alone', part, `part-${parts}`)) === undefined; parts += 1) done()
  expect(parts).toBeGreaterThan(30)
  for (let at = 0; at < parts; at += 1) {
    expect(await stores.upload(room, 'alone', part, `part-${at}`)).toBeUndefined()
    done()
  }
})

test('long jobs that are done do not count twice because small batches of the same client wait', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const tiny = needsOf({ batch: KB, job: 3 * KB, usualJob: KB, items: 1 })
  await fill(stores, room, ['greedy', tiny, 100])
  await fill(stores, room, ['greedy', heavy, 100])
  while (stores.waiting.length > 100) stores.complete(100)
  stores.now += 1_100
  expect(stores.usedOf('KV_jobs')).toBeGreaterThan(0.3 * stores.mostOf('KV_jobs'))
  expect(await stores.upload(room, 'newcomer', heavy)).toBeUndefined()
})

test('small batches that wait behind long ones that are done count as what they are', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  for (let at = 0; at < 19; at += 1) await stores.upload(room, 'long', heavy)
  for (let at = 0; at < 60; at += 1) await stores.upload(room, 'short', usual)
  for (let at = 0; at < 19; at += 1) stores.complete(0)
  stores.now += 1_100
  const most = stores.mostOf('KV_jobs')
  const owed = (await room.promised()).get('KV_jobs')! * most - stores.usedOf('KV_jobs')
  expect(owed).toBeCloseTo(60 * usual.job, 5)
  expect(await stores.upload(room, 'newcomer', texts)).toBeUndefined()
})

test('a client that has 40 % of the vehicles replaces them all, and is refused only until a worker proceeds', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  const part = needsOf({ batch: 400 * KB, job: 33 * KB, usualJob: KB, items: 100 })
  const parts = Math.floor((0.4 * stores.mostOf('KV_vehicles')) / part.vehicles)
  let refusals = 0
  const proceed = (at: number) => {
    refusals += 1
    expect(stores.waiting.length, `part ${at} is refused while nothing waits`).toBeGreaterThan(0)
    stores.now += 1_100
    stores.complete(0, ({ usualJob }) => usualJob)
  }
  for (let at = 0; at < 3 * parts; at += 1) {
    while ((await stores.upload(room, 'dealer', part, `part-${at % parts}`)) !== undefined) proceed(at)
    stores.now += 5
  }
  expect(refusals).toBeGreaterThan(0)
  expect(stores.usedOf('KV_vehicles') / stores.mostOf('KV_vehicles')).toBeCloseTo(0.4, 1)
})

test('an upload into stores with room needs no request of its own, and a crowded one at most four a second', async () => {
  const stores = new ModelledStores(4_096)
  const room = stores.process()
  for (let upload = 0; upload < 50; upload += 1) await stores.upload(room, 'a', usual)
  expect(stores.requests).toBe(4)
  await fill(stores, room, ['a', heavy, 3_000])
  stores.now += 1_100
  stores.requests = 0
  for (let upload = 0; upload < 50; upload += 1) await stores.upload(room, 'a', heavy)
  // The four, and lists of the client's batches, of its jobs and, before it is refused, of all batches.
  expect(stores.requests).toBeLessThanOrEqual(7)
})

test('whatever is sent, no accepted batch finds a store full, and a client with nothing gets in after three others', async () => {
  const steps = fc.array(
    fc.record({
      client: fc.constantFrom('a', 'b', 'c'),
      needs: fc.constantFrom(
        usual,
        texts,
        heavy,
        needsOf({ ...heavy, batch: 1_900 * KB }),
        needsOf({ ...usual, batch: 300 * KB }),
      ),
      uploads: fc.integer({ min: 1, max: 20 }),
      done: fc.array(fc.nat(100), { maxLength: 20 }),
      isWorst: fc.boolean(),
      after: fc.constantFrom(0, 50, 1_100),
    }),
    { minLength: 5, maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const stores = new ModelledStores(64)
      const room = stores.process()
      for (const { client, needs, uploads, done, isWorst, after } of all) {
        await Promise.all(Array.from({ length: uploads }, () => stores.upload(room, client, needs)))
        for (const at of done) {
          if (at < stores.waiting.length) stores.complete(at, isWorst ? undefined : ({ usualJob }) => usualJob + 2_100)
        }
        stores.now += after
      }
      stores.now += 1_100
      expect(await stores.upload(room, 'newcomer', texts)).toBeUndefined()
      while (stores.waiting.length > 0) stores.complete(0)
    }),
    { numRuns: 150 },
  )
})

test('what is promised is what is stored and owed', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  for (let upload = 0; upload < 10; upload += 1) await stores.upload(room, 'a', heavy)
  stores.now += 1_100
  const promised = Object.fromEntries(await room.promised())
  expect(Object.keys(promised)).toEqual(['BATCHES', 'KV_jobs', 'KV_vehicles'])
  expect(promised['KV_jobs']).toBeCloseTo((10 * (heavy.job + 2_200)) / (6.4 * MEGABYTE), 5)
  expect(promised['KV_vehicles']).toBeCloseTo((10 * (heavy.vehicles + 300)) / (32 * MEGABYTE), 5)
})
