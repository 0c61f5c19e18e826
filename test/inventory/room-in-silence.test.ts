import type { NatsConnection } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { askWorkers, type Counted } from '../../inventory/client-bytes.ts'
import { ModelledStores, needsOf } from './modelled-stores.ts'

const KB = 1_000
const large = needsOf({ batch: 1_900 * KB, job: 4 * KB, usualJob: KB, items: 1 })
const small = needsOf({ batch: 10 * KB, job: 4 * KB, usualJob: KB, items: 100 })

/** Stores with workers that answer until they are silent, and one process of the API. */
function withWorkers() {
  const stores = new ModelledStores(64)
  const workers = { areSilent: false }
  const count = stores.ask
  const request = async (subject: string, keys: string) => {
    if (workers.areSilent) throw new Error('timeout')
    const [, bucket, token] = subject.split('.') as [string, Counted, string]
    const counted = await count(bucket, token, JSON.parse(keys) as string[])
    return { json: () => counted }
  }
  stores.ask = askWorkers({ request } as unknown as NatsConnection)
  const room = stores.process()
  const upload = async (clientId: string, needs: typeof large, name: string, jobBytes = KB) => {
    const refused = await stores.upload(room, clientId, needs, name)
    while (stores.waiting.length > 0) stores.complete(0, () => jobBytes)
    stores.now += 1_100
    return refused
  }
  return { stores, workers, upload }
}

test('a client does not become small while no worker answers, and others are let in', async () => {
  const { stores, workers, upload } = withWorkers()
  for (let at = 0; at < 40; at += 1) await upload('many', small, `${at}`)
  let uploads = 0
  while ((await upload('greedy', large, `${uploads}`)) === undefined) uploads += 1
  expect(uploads).toBeGreaterThan(5)
  workers.areSilent = true
  for (let at = 0; at < 5; at += 1)
    expect(await upload('greedy', large, `further-${at}`)).toContain('This client has its share of vehicles.')
  expect(await upload('newcomer', large, 'first')).toBeUndefined()
  stores.remove('greedy')
  for (let at = 0; at < 9; at += 1) await upload('newcomer', large, `further-${at}`)
  expect(await upload('greedy', small, 'again')).toBeUndefined()
})

test('nor do its jobs become average ones', async () => {
  const { workers, upload } = withWorkers()
  const heavy = needsOf({ batch: 5 * KB, job: 200 * KB, usualJob: KB, items: 1 })
  for (let at = 0; at < 400; at += 1) await upload('many', small, 'same')
  let uploads = 0
  while ((await upload('greedy', heavy, 'same', 200 * KB)) === undefined) uploads += 1
  expect(uploads).toBeGreaterThan(5)
  workers.areSilent = true
  expect(await upload('greedy', heavy, 'same', 200 * KB)).toContain('This client has its share of jobs')
})
