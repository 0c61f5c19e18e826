import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfiguration } from '../../../runtime/configuration.ts'
import { createLog } from '../../../runtime/log.ts'
import { startTracing, tracingVariables, type TracingConfiguration } from '../../../runtime/tracing/settings.ts'
import type { Tracing } from '../../../runtime/tracing/trace.ts'
import { startCollector, type Collector } from '../../harness/otlp-collector.ts'

let collector: Collector
let lines: string[]
beforeEach(async () => {
  collector = await startCollector()
  lines = []
})
afterEach(() => collector.close())

const read = (env: NodeJS.ProcessEnv) => readConfiguration<TracingConfiguration>(env, tracingVariables)
const start = (env: NodeJS.ProcessEnv, followsCaller = false) =>
  startTracing(read(env), {
    ...{ service: 'pricing', followsCaller },
    log: createLog({ name: 'test' }, { write: (line: string) => void lines.push(line) }),
  }) as Promise<Tracing>

const CALLERS = '4bf92f3577b34da6a3ce929d0e0e4736'
const sampled = `00-${CALLERS}-00f067aa0ba902b7-01`
const serving = (parent?: string) => ({ kind: 'server', parent, facts: { one: 1 } }) as const

test('without a collector nothing is traced, and nothing of OpenTelemetry is loaded', async () => {
  expect(await start({})).toBeUndefined()
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('./api/start.ts')
    await import('./worker/start.ts')
    console.log(loaded.filter((url) => url.includes('/node_modules/@opentelemetry/') && !url.includes('/api/')).length)
    process.exit(0)`
  const root = join(import.meta.dirname, '../../..')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  expect(stdout.trim()).toBe('0')
})

test('a trace and its parts arrive at the collector, with the headers that the collector asks for', async () => {
  const tracing = await start({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`, TRACE_PERCENT: '100' },
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=rates, authorization=Bearer%20a%2Cb',
  })
  const trace = tracing.begin('first', serving(sampled))
  trace.begin('part').end()
  trace.rename('named')
  trace.note({ two: 'b' })
  trace.end('answered 503')
  await tracing.stop()
  expect(collector.requests).toMatchObject([
    { url: '/v1/traces', headers: { 'x-team': 'rates', authorization: 'Bearer a,b' } },
  ])
  const [part, whole] = collector.spans
  expect(whole).toMatchObject({
    ...{ service: 'pricing', name: 'named', kind: 2, traceId: CALLERS, parentSpanId: '00f067aa0ba902b7' },
    ...{ facts: { one: 1, two: 'b' }, status: { code: 2, message: 'answered 503' } },
  })
  expect(part).toMatchObject({ name: 'part', traceId: CALLERS, parentSpanId: whole!.spanId })
  expect(trace.traceparent).toBe(`00-${CALLERS}-${whole!.spanId}-01`)
})

test('what is no traceparent begins a trace of its own', async () => {
  const tracing = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, TRACE_PERCENT: '100' })
  for (const parent of ['', 'x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `${sampled}, ${sampled}`]) {
    const { traceId, end } = tracing.begin('first', serving(parent))
    end()
    expect([parent, /^[0-9a-f]{32}$/.test(traceId), traceId === CALLERS]).toEqual([parent, true, false])
  }
  await tracing.stop()
  expect(collector.spans.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined, undefined, undefined])
})

test('a caller from outside cannot make us keep what we would not; a program of ours is followed', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, TRACE_PERCENT: '0' }
  const [outside, inside] = [await start(env), await start(env, true)]
  const unkept = outside.begin('outside', serving(sampled))
  expect(unkept.traceparent).toMatch(new RegExp(`^00-${CALLERS}-[0-9a-f]{16}-00$`))
  unkept.end()
  inside.begin('inside', serving(unkept.traceparent)).end()
  inside.begin('kept', serving(sampled)).end()
  await Promise.all([outside.stop(), inside.stop()])
  expect(collector.spans.map(({ name }) => name)).toEqual(['kept'])
})

test('a collector that refuses or is away costs the traces and one warning, which holds nothing of them', async () => {
  await collector.close()
  for (const answers of [400, 'nobody'] as const) {
    collector = await startCollector(answers === 400 ? 400 : 200)
    if (answers === 'nobody') await collector.close()
    const endpoint = collector.endpoint
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_PERCENT: '100', OTEL_EXPORTER_OTLP_HEADERS: 'a=hidden' }
    const tracing = await start(env)
    tracing.begin('lost', serving()).end()
    await tracing.stop()
  }
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
    Array(2).fill('traces could not be sent'),
  )
  expect(lines.join('\n')).not.toMatch(/hidden|lost|partialSuccess/)
})

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:hidden@collector:4318' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318?key=hidden' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'hidden' },
  { TRACE_PERCENT: '101' },
])('%j is refused, and what may be a credential is not quoted', (env) => {
  const refusal = () => read(env)
  expect(refusal).toThrow(Object.keys(env)[0])
  expect(refusal).toThrow(/^(?![^]*hidden)/)
})
