import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job } from '../../../inventory/job.ts'
import { keyOf } from '../../../runtime/nats/key.ts'
import { answerChecker, type Answered } from '../../api/contract/described.ts'
import { bearer } from '../../api/pricing-server.ts'
import type { ImageVerdict } from '../../../worker/moderation/types.ts'
import { openedStore, type OpenedStore } from '../opened-store.ts'
import { startWorking, visibleModeration } from '../../worker/working.ts'
import { batch, completed, item, jobIdOf, startUploadServer, type UploadServer } from '../uploads.ts'

type Examples = Record<string, { value: unknown }>
interface Response {
  content?: { 'application/json': { examples?: Examples } }
  $ref?: string
}
interface Operation {
  operationId: string
  summary?: string
  security?: unknown[]
  requestBody?: { content: { 'application/json': { examples: Examples } } }
  responses: Record<string, Response>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response>; schemas: object }
}

// 42 seconds before the end of a minute.
const NOW = 20 * 60_000 + 18_000
let opened: OpenedStore
let server: UploadServer
let late: UploadServer
let spec: Document
let faultsOf: (answered: Answered) => string[]

beforeAll(async () => {
  opened = await openedStore()
  server = await startUploadServer(() => opened.store)
  late = await startUploadServer(() => opened.store, { clock: () => NOW })
  await opened.store.requestRates.put(`${keyOf('uploader')}.${Math.floor(NOW / 60_000)}`, '10000')
  spec = (await (await fetch(`${server.url}/spec`)).json()) as Document
  faultsOf = await answerChecker(spec)
})
afterAll(async () => {
  await server.close()
  await late.close()
  await opened.close()
})

const operations = () => Object.values(spec.paths).flatMap((methods) => Object.values(methods))
const examplesOf = ({ content }: Response) => Object.values(content?.['application/json'].examples ?? {})

test('the schema is publicly available, suitable for code generation: ids and summaries, no schema that nothing uses', () => {
  expect(spec.openapi).toBe('3.0.3')
  expect(operations().map(({ operationId }) => operationId)).toEqual(['createBatch', 'getJob', 'getSpecification'])
  for (const { summary } of operations()) expect(summary).toMatch(/^[A-Z]/)
  const text = JSON.stringify(spec)
  const { schemas, responses } = spec.components
  const used = (kind: string) => (name: string) => text.includes(`"#/components/${kind}/${name}"`)
  expect(Object.keys(schemas).filter((name) => !used('schemas')(name))).toEqual([])
  expect(Object.keys(responses).filter((name) => !used('responses')(name))).toEqual([])
})

test('a token with the grant is asked for by every operation but this one', () => {
  const open = operations().filter(({ security }) => security !== undefined)
  expect(open.map(({ operationId, security }) => [operationId, security])).toEqual([['getSpecification', []]])
})

test('each example of a batch is accepted', async () => {
  const examples = operations().flatMap(({ requestBody }) =>
    Object.values(requestBody?.content['application/json'].examples ?? {}),
  )
  expect(examples.length).toBeGreaterThan(0)
  for (const { value } of examples) expect((await server.post(value)).status).toBe(201)
})

test('each example of an answer is as the document describes that answer', () => {
  let count = 0
  for (const { operationId, responses } of operations()) {
    for (const [status, response] of Object.entries(responses)) {
      const described = spec.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
      for (const { value: body } of examplesOf(described)) {
        const faults = faultsOf({ operationId, status: Number(status), headers: new Headers(), body })
        expect([operationId, status, faults.filter((fault) => !fault.startsWith('the header'))]).toEqual([
          operationId,
          status,
          [],
        ])
        count += 1
      }
    }
  }
  expect(count).toBeGreaterThan(15)
})

const wrongOdometer = () => {
  const items = [0, 1, 2].map((index) => item(`right${index}`))
  return batch([...items, item('wrong', { vehicle: { odometer: 'far' } })])
}

/** What provokes the example of an error, by its name. */
const PROVOCATIONS: Record<string, () => Promise<globalThis.Response>> = {
  BadRequest: () => server.post(wrongOdometer()),
  Unauthenticated: () => fetch(`${server.url}/batch`, { method: 'POST' }),
  Forbidden: async () => server.post(batch([item('a')]), bearer(await server.token('dealer'))),
  PayloadTooLarge: () => server.post(batch([item('a', { vehicle: { description: 'x'.repeat(2 ** 21) } })])),
  UnsupportedMediaType: async () =>
    fetch(`${server.url}/batch`, { method: 'POST', body: Buffer.from('{}'), headers: bearer(await server.token()) }),
  KeyReused: async () => {
    await server.post(batch([item('a')]), { 'idempotency-key': 'again' })
    return server.post(batch([item('b')]), { 'idempotency-key': 'again' })
  },
  TooManyRequests: () => late.post(batch([item('a')])),
  NotReady: async () => {
    const away = await startUploadServer(() => undefined)
    const response = await away.post(batch([item('a')]))
    await away.close()
    return response
  },
}

test.each(Object.keys(PROVOCATIONS))('the example of %s is the answer that the service gives', async (name) => {
  const response = await PROVOCATIONS[name]!()
  const body = (await response.json()) as unknown
  expect(examplesOf(spec.components.responses[name]!).map(({ value }) => value)).toEqual([body])
  const { status, headers } = response
  expect(faultsOf({ operationId: 'createBatch', status, headers, body })).toEqual([])
})

test('so is that of an unknown job, and a suspended client is told so', async () => {
  const unknown = await server.get(`/jobs/${randomUUID()}`)
  expect(examplesOf(spec.components.responses['NotFound']!)).toEqual([{ value: await unknown.json() }])
  const suspended = await server.post(batch([item('a')]), bearer(await server.token('suspended')))
  expect([suspended.status, await suspended.json()]).toMatchObject([403, { code: 'USER_INACTIVE' }])
})

test('of the codes of a 503, a poll can have the one, and its example is the answer', async () => {
  const away = await startUploadServer(() => undefined)
  const response = await away.get(`/jobs/${randomUUID()}`)
  const { status, headers } = response
  const body = (await response.json()) as unknown
  await away.close()
  expect(examplesOf(spec.components.responses['Unreachable']!).map(({ value }) => value)).toEqual([body])
  expect(faultsOf({ operationId: 'getJob', status, headers, body })).toEqual([])
})

test('the examples of a job are the answers to the example of the batch, before and after the work', async () => {
  const [{ value }] = examplesOf({ content: operationOf('createBatch').requestBody!.content }) as [{ value: unknown }]
  const shown = operationOf('getJob').responses['200']!.content!['application/json'].examples!
  const jobId = await jobIdOf(await server.post(value))
  const polled = async () => (await (await server.get(`/jobs/${jobId}`)).json()) as Job
  expect(asShown(await polled(), jobId)).toEqual(shown['processing']!.value)
  const least = {
    accepted: false,
    code: 'TOO_SMALL',
    message: 'The picture has 64 x 48 pixels; expected at least 200 x 150.',
  }
  const judge = async (src: string) => (src.endsWith('/2.jpg') ? least : { accepted: true }) as ImageVerdict
  const working = startWorking(() => opened.store, visibleModeration(judge))
  const job = await completed(server, jobId)
  await working.stop(1_000)
  expect(asShown(job, jobId)).toEqual(shown['completed']!.value)
})

const operationOf = (id: string) => operations().find(({ operationId }) => operationId === id)!

/** A job with the id and the times of the document's examples. */
function asShown(job: Job, jobId: string): unknown {
  const text = JSON.stringify(job).replaceAll(jobId, '019aa9a2-6f0e-7a59-9d5a-6a8f5d2a3c11')
  const times = { created_at: '2026-11-21T04:05:06.789Z', completed_at: '2026-11-21T04:05:08.012Z' }
  const { completed_at, ...rest } = JSON.parse(text) as Job
  return {
    ...rest,
    created_at: times.created_at,
    ...(completed_at !== undefined && { completed_at: times.completed_at }),
  }
}
