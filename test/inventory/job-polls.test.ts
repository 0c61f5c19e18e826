import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { jobKey } from '../../inventory/storage.ts'
import type { InventoryStore } from '../../inventory/store.ts'
import { bearer, binding } from '../api/pricing-server.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { batch, item, jobIdOf, startUploadServer, UPLOADERS } from './uploads.ts'

const [UPLOADER = '', OTHER = ''] = UPLOADERS
let opened: OpenedStore

beforeAll(async () => {
  opened = await openedStore()
})
afterAll(() => opened.close())

/** A server whose reads of jobs wait until they are let go. */
async function start() {
  const { jobs, ...rest } = opened.store
  const running: { clientId: string; end: () => void }[] = []
  const read: InventoryStore['jobs']['read'] = async (clientId, id) => {
    await new Promise<void>((end) => running.push({ clientId, end }))
    return jobs.read(clientId, id)
  }
  const server = await startUploadServer(() => ({ ...rest, jobs: { ...jobs, read } }))
  onTestFinished(() => server.close())
  const other = bearer(await server.token(OTHER))
  return {
    server,
    running,
    poll: (id: string) => server.get(`/jobs/${id}`),
    pollOther: (id: string) => server.get(`/jobs/${id}`, other),
  }
}

async function storedJob(clientId: string): Promise<string> {
  const id = randomUUID()
  const { uid: clientUid } = binding(clientId)
  await opened.store.jobs.create(newJob({ id, clientId, clientUid, createdAt: new Date(), moderateImages: true }))
  return id
}

test('polls of one client read two jobs at once, while a poll and an upload of others are answered', async () => {
  const { server, running, poll, pollOther } = await start()
  const [own, others] = [await storedJob(UPLOADER), await storedJob(OTHER)]
  const many = Array.from({ length: 20 }, () => poll(own))
  await expect.poll(() => running.length).toBe(2)
  const answered = pollOther(others)
  await expect.poll(() => running.map(({ clientId }) => clientId)).toEqual([UPLOADER, UPLOADER, OTHER])
  running.pop()?.end()
  expect((await answered).status).toBe(200)
  expect((await server.post(batch([item('v1')]))).status).toBe(201)
  let most = 0
  const freeing = setInterval(() => {
    most = Math.max(most, running.length)
    running.shift()?.end()
  })
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  clearInterval(freeing)
  expect([new Set(statuses), most]).toEqual([new Set([200]), 2])
})

test('an upload with a known key reads the job of the earlier one in its turn', async () => {
  const { server, running, poll } = await start()
  const key = { 'idempotency-key': randomUUID() }
  const first = await jobIdOf(await server.post(batch([item('v2')]), key))
  const polls = [poll(first), poll(first)]
  await expect.poll(() => running.length).toBe(2)
  const again = server.post(batch([item('v2')]), key)
  await server.post(batch([item('v3')]))
  expect(running).toHaveLength(2)
  const freeing = setInterval(() => running.shift()?.end())
  expect(await jobIdOf(await again)).toBe(first)
  await Promise.all(polls)
  clearInterval(freeing)
})

test('an answer has the fields and the media type of the contract, and of a completed job one key is read', async () => {
  const { server, running } = await start()
  const id = await storedJob(UPLOADER)
  const freeing = setInterval(() => running.shift()?.end())
  const answer = await server.get(`/jobs/${id}`)
  clearInterval(freeing)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys((await answer.json()) as object)).not.toContain('client_uid')
  const keys: string[] = []
  const { jobs } = opened.store
  const begun = (await jobs.read(UPLOADER, id))!
  await jobs.complete(begun, { counts: { accepted: 1, rejected: 0 }, errors: [] }, new Date())
  const reading = opened.connection.subscribe('$JS.API.STREAM.MSG.GET.KV_jobs', {
    callback: (_, message) => void keys.push(message.json<{ last_by_subj: string }>().last_by_subj),
  })
  await opened.connection.flush()
  await jobs.read(UPLOADER, id)
  await opened.connection.flush()
  reading.unsubscribe()
  expect(keys).toEqual([`$KV.jobs.${jobKey(UPLOADER, id)}`])
})
