import { expect, test } from 'vitest'
import { ModelledStores, needsOf, type Needs } from './modelled-stores.ts'

const KB = 1_000
/** A hundred vehicles without pictures, a hundred with twenty each, and one. */
const texts = needsOf({ batch: 60 * KB, job: 34 * KB, usualJob: 1 * KB, items: 100 })
const heavy = needsOf({ batch: 200 * KB, job: 150 * KB, usualJob: 120 * KB, items: 100 })
const small = needsOf({ batch: KB, job: 2_400, usualJob: 600, items: 1 })
const isRefused = expect.stringMatching(/^This client has its share of jobs; /) as unknown as string

/** Ends all batches that wait. */
function done(stores: ModelledStores, bytes?: (needs: Needs) => number): void {
  while (stores.waiting.length > 0) stores.complete(0, bytes)
  stores.now += 1_100
}

test('a client whose jobs are full of errors is refused before it fills them, and one with small jobs is not', async () => {
  const stores = new ModelledStores(64)
  const room = stores.process()
  let refused: string | undefined
  for (let upload = 0; upload < 200 && refused === undefined; upload += 1) {
    refused = await stores.upload(room, 'greedy', texts)
    expect(await stores.upload(room, 'small', small)).toBeUndefined()
    done(stores)
  }
  expect(refused).toEqual(isRefused)
  // Half of the nine tenths that may be used, beside the small jobs.
  expect(stores.usedOf('KV_jobs')).toBeLessThan(0.5 * stores.mostOf('KV_jobs'))
  expect(await stores.upload(room, 'newcomer', heavy)).toBeUndefined()
})

test('how large the jobs of a client became is known to a process that admitted none of them', async () => {
  const stores = new ModelledStores(64)
  const [one, two] = [stores.process(), stores.process()]
  for (let at = 0; at < 1_000; at += 1) expect(await stores.upload(one, 'many', small)).toBeUndefined()
  done(stores, ({ usualJob }) => usualJob)
  // More errors than were counted.
  for (let at = 0; at < 11; at += 1) expect(await stores.upload(one, 'long', texts)).toBeUndefined()
  done(stores, () => 250 * KB)
  expect(await stores.upload(two, 'many', heavy)).toBeUndefined()
  for (const room of [one, two]) expect(await stores.upload(room, 'long', heavy)).toEqual(isRefused)
  done(stores, ({ usualJob }) => usualJob)
  // Average ones count.
  stores.ask = async () => undefined
  expect(await stores.upload(stores.process(), 'long', heavy)).toBeUndefined()
})
