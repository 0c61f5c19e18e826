import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { startWorking } from '../worker/working.ts'
import { MEGABYTE, startSmallInventory, type SmallInventory } from './small-inventory.ts'
import { batch, completed, item } from './uploads.ts'

let small: SmallInventory
beforeEach(async () => void (small = await startSmallInventory()))
afterEach(() => small.close())

const fillVehicles = async (megabytes: number) => {
  const client = small.store.manager.jetstream()
  for (let filled = 0; filled < megabytes; filled += 1) {
    await client.publish(
      `$KV.vehicles.${Buffer.from(`x${filled}`).toString('base64url')}.y`,
      new Uint8Array(MEGABYTE - 500),
    )
  }
}
/** The jobs of those that were accepted, of uploads of one moment. */
const acceptedOf = async (bodies: readonly object[]) => {
  const answers = await Promise.all(bodies.map((body) => small.upload('uploader', body)))
  expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
  return answers.flatMap(({ status, body }) => (status === 201 ? [(body as { job_id: string }).job_id] : []))
}
const largeOnes = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => batch([item(`${name}${at}`, { vehicle: { notes: 'x'.repeat(1_900_000) } })]))

test('uploads of one moment are admitted as far as their vehicles have room, with those of batches that wait', async () => {
  // Of 32 MB, 30.4 may be in use.
  await fillVehicles(25)
  const first = await acceptedOf(largeOnes('a', 6))
  expect(first).toHaveLength(1)
  const second = await acceptedOf(largeOnes('b', 2))
  expect(second).toHaveLength(0)
  const working = startWorking(() => small.store)
  for (const id of first) expect(await completed(small.server, id)).toMatchObject({ counts: { accepted: 1 } })
  await working.stop(1_000)
})

test('a client with few large vehicles is refused, and not another one with many small ones', async () => {
  const working = startWorking(() => small.store)
  const uploaded = async (clientId: string, body: object) => {
    // What was read of the stores counts for a second.
    await sleep(1_100)
    const { status, body: answer } = await small.upload(clientId, body)
    await waitFor('the worker', async () => (await small.messages('BATCHES')) === 0)
    return { status, ...answer }
  }
  const many = batch(Array.from({ length: 100 }, (_, at) => item(`many-${at}`)))
  const again = batch([item('many-0')])
  await uploaded('other', many)
  const refused: object[] = []
  for (let large = 0; large < 12 && refused.length === 0; large += 1) {
    const answer = await uploaded('uploader', largeOnes(`large-${large}-`, 1)[0]!)
    expect(await uploaded('other', again)).toMatchObject({ status: 201 })
    if (answer.status === 503) refused.push(answer)
  }
  expect(refused).toMatchObject([{ message: expect.stringMatching('^This client has its share of vehicles[.] ') }])
  expect(await small.bytes('KV_vehicles')).toBeLessThan(32 * MEGABYTE * 0.6)
  await working.stop(1_000)
})
