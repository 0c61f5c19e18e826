import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobItemId } from '../../inventory/job.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { startWorking, type Working } from '../worker/working.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { batch, completed, item, jobIdOf, startUploadServer, type UploadServer } from './uploads.ts'

let opened: OpenedStore
let server: UploadServer
let working: Working
beforeAll(async () => {
  opened = await openedStore()
  server = await startUploadServer(() => opened.store)
  working = startWorking(() => opened.store)
})
afterAll(async () => {
  await working.stop(1_000)
  await server.close()
  await opened.close()
})

const upload = async (sourceId: string, key: string) =>
  jobIdOf(await server.post(batch([item(sourceId)]), { 'idempotency-key': key }))
const lastSequence = async () => (await opened.store.manager.streams.info(BATCHES)).state.last_seq

/** Completes a job as the burial of its batch does. */
async function giveUp(id: string): Promise<void> {
  const begun = await opened.store.jobs.begin((await opened.store.jobs.read(id))!.record)
  const about = { job_item_id: jobItemId(id, 0), index: 0, path: '/items/0', message: 'given up' }
  const result = { counts: { accepted: 0, rejected: 1 }, errors: [{ ...about, code: 'NOT_PROCESSED' }] }
  await opened.store.jobs.complete(begun!, result, new Date())
}

test('a repeated upload whose job is completed gives that job, and its batch does not wait a second time', async () => {
  const id = await upload('again', 'again')
  await completed(server, id)
  const last = await lastSequence()
  expect(await upload('again', 'again')).toBe(id)
  expect(await lastSequence()).toBe(last)
})

test('a batch that was given up is stored when it is uploaded again with the same key, once for all repetitions', async () => {
  await working.stop(1_000)
  const id = await upload('given-up', 'monday')
  await giveUp(id)
  const ids = await Promise.all(Array.from({ length: 5 }, () => upload('given-up', 'monday')))
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).not.toBe(id)
  expect(await upload('given-up', 'monday')).toBe(ids[0])
  const other = await server.post(batch([item('other')]), { 'idempotency-key': 'monday' })
  expect(other.status).toBe(422)
  working = startWorking(() => opened.store)
  expect(await completed(server, ids[0]!)).toMatchObject({ counts: { accepted: 1, rejected: 0 }, errors: [] })
  expect(await opened.store.vehicles.read('uploader', 'given-up')).toMatchObject({ job_id: ids[0] })
})
