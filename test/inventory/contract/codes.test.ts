import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCHES } from '../../../inventory/storage.ts'
import { keyOf } from '../../../runtime/nats/key.ts'
import { answerChecker, type Answered } from '../../api/contract/described.ts'
import { bearer } from '../../api/pricing-server.ts'
import { openedStore, type OpenedStore } from '../opened-store.ts'
import { batch, item, startUploadServer, type UploadServer } from '../uploads.ts'

// As test/api/contract/codes.test.ts does for pricing: each code that the document names for an operation occurs there.
interface Response {
  $ref?: string
  'x-codes'?: string[]
  content?: { 'application/json': { examples?: Record<string, { value: unknown }> } }
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}

const NOW = 20 * 60_000
let opened: OpenedStore
let server: UploadServer
let late: UploadServer
let away: UploadServer
let broken: UploadServer
let spec: Document
let faultsOf: (answered: Answered) => string[]

beforeAll(async () => {
  opened = await openedStore()
  server = await startUploadServer(() => opened.store)
  late = await startUploadServer(() => opened.store, { clock: () => NOW })
  away = await startUploadServer(() => undefined)
  broken = await startUploadServer(() => {
    throw new Error('a fault of ours')
  })
  await opened.store.requestRates.put(`${keyOf('uploader')}.${NOW / 60_000}`, '10000')
  spec = (await (await fetch(`${server.url}/spec`)).json()) as Document
  faultsOf = await answerChecker(spec)
})
afterAll(async () => {
  for (const each of [server, late, away, broken]) await each.close()
  await opened.close()
})

type Provocation = () => Promise<globalThis.Response>
type Send = (from: UploadServer, headers?: Record<string, string>) => Promise<globalThis.Response>

/** Whatever is common to all operations that ask for a token. */
const shared = (send: Send): Record<string, Provocation> => ({
  'not-authenticated': () => send(server, { authorization: '' }),
  UNAUTHENTICATED: () => send(server, bearer('old')),
  INSUFFICIENT_SCOPE: async () => send(server, bearer(await server.token('dealer'))),
  USER_INACTIVE: async () => send(server, bearer(await server.token('suspended'))),
  too_many_requests: () => send(late),
  error: () => send(broken),
  not_ready: () => send(away),
  headers_too_large: () => send(server, { 'x-padding': 'x'.repeat(20_000) }),
})

const upload: Send = (from, headers) => from.post(batch([item('a')]), headers)
const poll: Send = (from, headers) => from.get(`/jobs/${randomUUID()}`, headers)

const PROVOCATIONS: Record<string, Record<string, Provocation>> = {
  createBatch: {
    ...shared(upload),
    bad_request: () => server.post({}),
    payload_too_large: () => server.post(batch([item('a', { vehicle: { description: 'x'.repeat(2 ** 21) } })])),
    unsupported_media_type: () => server.post('{}', { 'content-type': 'text/plain' }),
    idempotency_key_reused: async () => {
      await server.post(batch([item('a')]), { 'idempotency-key': 'again' })
      return server.post(batch([item('b')]), { 'idempotency-key': 'again' })
    },
    queue_full: async () => {
      const { streams } = opened.store.manager
      const { config } = await streams.info(BATCHES)
      await streams.update(BATCHES, { max_bytes: 100 })
      const answered = await upload(server)
      await streams.update(BATCHES, { max_bytes: config.max_bytes })
      return answered
    },
  },
  getJob: { ...shared(poll), not_found: () => poll(server) },
}

/** A code with tests of its own: a body that does not come (read-body.test.ts). */
const ELSEWHERE = ['request_timeout']

function responsesOf(operationId: string): [string, Response][] {
  const found = Object.values(spec.paths)
    .flatMap((methods) => Object.values(methods))
    .find((each) => each.operationId === operationId)!
  return Object.entries(found.responses).map(([status, one]) => [
    status,
    spec.components.responses[one.$ref?.split('/').at(-1) ?? ''] ?? one,
  ])
}

test('the example of a 201 is what an upload is answered, but for the id', async () => {
  const [, created] = responsesOf('createBatch').find(([status]) => status === '201')!
  const response = await upload(server)
  const { status, headers } = response
  const body = (await response.json()) as { job_id: string }
  expect(headers.get('location')).toBe(`/jobs/${body.job_id}`)
  expect(faultsOf({ operationId: 'createBatch', status, headers, body })).toEqual([])
  const { value } = created.content!['application/json'].examples!['stored']!
  expect({ ...body, job_id: (value as typeof body).job_id }).toEqual(value)
})

test.each(Object.keys(PROVOCATIONS))(
  '%s: the codes that the document names for it are those that occur',
  async (id) => {
    const named = responsesOf(id).flatMap(([status, one]) => (one['x-codes'] ?? []).map((code) => ({ status, code })))
    const provoked = PROVOCATIONS[id]!
    expect(
      named
        .map(({ code }) => code)
        .filter((code) => !ELSEWHERE.includes(code))
        .sort(),
    ).toEqual(Object.keys(provoked).sort())
    for (const { status, code } of named.filter((each) => !ELSEWHERE.includes(each.code))) {
      const response = await provoked[code]!()
      const { headers } = response
      const body = (await response.json()) as { code: string }
      expect([String(response.status), body.code]).toEqual([status, code])
      expect([code, faultsOf({ operationId: id, status: response.status, headers, body })]).toEqual([code, []])
    }
  },
)
