import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../runtime/log.ts'
import { startTracing } from '../../../runtime/tracing/settings.ts'
import type { Tracing } from '../../../runtime/tracing/trace.ts'
import { startCollector, type Collector } from '../../harness/otlp-collector.ts'
import { bearer, SECRET, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

let collector: Collector
let tracing: Tracing
let server: PricingServer
const lines: Record<string, unknown>[] = []
const tokens: string[] = []

const CALLERS = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${CALLERS}-00f067aa0ba902b7-01`

beforeAll(async () => {
  collector = await startCollector()
  const log = createLog(
    { name: 'test' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  const settings = { otlpEndpoint: collector.endpoint, otlpHeaders: {}, tracePercent: 100 }
  tracing = (await startTracing(settings, { service: 'pricing', followsCaller: false, log }))!
  server = await startPricingServer(undefined, undefined, { log, tracing })
  const token = await server.token()
  tokens.push(token)
  await server.post('/v1/quote', suv(), { ...bearer(token), traceparent, 'x-request-id': 'r1' })
  await server.post('/v1/quote?secret=hidden-query', { hidden: 'hidden-body' }, { ...bearer(token), traceparent })
  await server.get('/hidden-path', { cookie: 'hidden-cookie', tracestate: 'a=hidden-state' })
  await server.token('uploader', 'hidden-scope')
  server.holder.read = () => {
    throw new Error('hidden-cause')
  }
  await server.post('/v1/quote', suv(), bearer(token))
  await server.close()
  await tracing.stop()
})
afterAll(() => collector.close())

test('each request is a span that names its operation, its client and what came of it', () => {
  const [token, quote] = collector.spans
  expect(token).toMatchObject({ name: 'POST createToken', kind: 2, service: 'pricing' })
  expect(quote).toMatchObject({ name: 'POST createQuote', traceId: CALLERS, parentSpanId: '00f067aa0ba902b7' })
  expect(quote?.facts).toMatchObject({
    ...{ 'http.request.method': 'POST', 'driveaway.operation': 'createQuote' },
    ...{ 'driveaway.client': 'dealer', 'driveaway.request_id': 'r1' },
  })
  expect(collector.spans).toHaveLength(6)
})

test('only a failure of ours is marked as one', () => {
  const marked = collector.spans.map(({ facts, status }) => [facts['http.response.status_code'], status.message])
  for (const [status, message] of marked)
    expect([status, message]).toEqual([status, Number(status) >= 500 ? `answered ${status}` : undefined])
  expect(marked.at(-1)).toEqual([500, 'answered 500'])
})

test('lines of the log name the trace, so that one is found from the other', () => {
  const kept = new Set(collector.spans.map(({ traceId }) => traceId))
  const noted = lines.filter(({ event }) => event !== undefined)
  expect(noted.length).toBeGreaterThanOrEqual(5)
  for (const line of noted) expect([line['event'], kept.has(String(line['traceId']))]).toEqual([line['event'], true])
})

test('no secret is in what was sent: no query, path, header, body, token or cause', () => {
  const sent = collector.bodies.join('\n')
  expect(sent).toContain(CALLERS)
  for (const secret of ['hidden', SECRET, ...tokens]) expect(sent).not.toContain(secret)
})
