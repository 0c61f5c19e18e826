import { afterEach, beforeEach, expect, test } from 'vitest'
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
  expect(first).toHaveLength(2)
  const second = await acceptedOf(largeOnes('b', 2))
  expect(second).toHaveLength(0)
  const working = startWorking(() => small.store)
  for (const id of first) expect(await completed(small.server, id)).toMatchObject({ counts: { accepted: 1 } })
  await working.stop(1_000)
})
