import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobItemId } from '../../inventory/job.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { startInventory, type RunningInventory } from './running-inventory.ts'
import { batch, completed, item, jobIdOf } from './uploads.ts'

let inventory: RunningInventory
beforeAll(async () => {
  inventory = await startInventory()
})
afterAll(() => inventory.stop(1_000))

const upload = async (sourceId: string, key: string) =>
  jobIdOf(await inventory.server.post(batch([item(sourceId)]), { 'idempotency-key': key }))
const lastSequence = async () => (await inventory.opened.store.manager.streams.info(BATCHES)).state.last_seq

/** Completes a job as the burial of its batch does. */
async function giveUp(id: string): Promise<void> {
  const begun = await inventory.opened.store.jobs.begin(
    (await inventory.opened.store.jobs.read('uploader', id))!.record,
  )
  const about = { job_item_id: jobItemId(id, 0), index: 0, path: '/items/0', message: 'given up' }
  const result = { counts: { accepted: 0, rejected: 1 }, errors: [{ ...about, code: 'NOT_PROCESSED' }] }
  await inventory.opened.store.jobs.complete(begun!, result, new Date())
}

test('a repeated upload whose job is completed gives that job, and its batch does not wait a second time', async () => {
  const id = await upload('again', 'again')
  await completed(inventory.server, id)
  const last = await lastSequence()
  expect(await upload('again', 'again')).toBe(id)
  expect(await lastSequence()).toBe(last)
})

test('a batch that was given up is stored when it is uploaded again with the same key, once for all repetitions', async () => {
  await inventory.working.stop(1_000)
  const id = await upload('given-up', 'monday')
  await giveUp(id)
  const ids = await Promise.all(Array.from({ length: 5 }, () => upload('given-up', 'monday')))
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).not.toBe(id)
  expect(await upload('given-up', 'monday')).toBe(ids[0])
  const other = await inventory.server.post(batch([item('other')]), { 'idempotency-key': 'monday' })
  expect(other.status).toBe(422)
  inventory.workAgain()
  expect(await completed(inventory.server, ids[0]!)).toMatchObject({ counts: { accepted: 1, rejected: 0 }, errors: [] })
  expect(await inventory.opened.store.vehicles.read('uploader', 'given-up')).toMatchObject({ job_id: ids[0] })
})
