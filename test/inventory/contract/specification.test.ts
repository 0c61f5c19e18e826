import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyOf } from '../../../runtime/nats/key.ts'
import { answerChecker, type Answered } from '../../api/contract/described.ts'
import { bearer } from '../../api/pricing-server.ts'
import { openedStore, type OpenedStore } from '../opened-store.ts'
import { batch, item, startUploadServer, type UploadServer } from '../uploads.ts'

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
