import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../runtime/log.ts'
import { startTracing } from '../../runtime/tracing/settings.ts'
import type { Tracing } from '../../runtime/tracing/trace.ts'
import { startCollector, type Collector } from '../harness/otlp-collector.ts'
import { startWorking, visibleModeration, type Working } from '../worker/working.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { batch, completed, item, jobIdOf, startUploadServer, type UploadServer } from './uploads.ts'

let collector: Collector
let opened: OpenedStore
let server: UploadServer
let working: Working
let tracings: Tracing[]
let isBroken = false

beforeAll(async () => {
  collector = await startCollector()
  opened = await openedStore()
  const settings = { otlpEndpoint: collector.endpoint, otlpHeaders: {}, tracePercent: 100 }
  const log = createLog({ name: 'test', level: 'silent' })
  const start = async (service: string, followsCaller: boolean) =>
    (await startTracing(settings, { service, followsCaller, log })) as Tracing
  const [api, worker] = [await start('inventory', false), await start('worker', true)]
  tracings = [api, worker]
  server = await startUploadServer(() => opened.store, { tracing: api })
  const moderation = visibleModeration(async () => {
    if (!isBroken) return { accepted: true }
    isBroken = false
    throw new Error('a hidden cause')
  })
  working = startWorking(() => opened.store, moderation, {}, { tracing: worker })
})
afterAll(async () => {
  await server.close()
  await opened.close()
  await collector.close()
})

const picture = { src: 'https://img.test/a.jpg' }
const upload = async (traceparent: string) => {
  const jobId = await jobIdOf(await server.post(batch([item('v1', { assets: [picture] })]), { traceparent }))
  await completed(server, jobId)
  return jobId
}

test('one trace goes from the upload over NATS to the stored vehicle, and each attempt is in it', async () => {
  const [first, second] = ['4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c']
  const jobId = await upload(`00-${first}-00f067aa0ba902b7-01`)
  isBroken = true
  await upload(`00-${second}-00f067aa0ba902b7-01`)
  await working.stop(5_000)
  await Promise.all(tracings.map((tracing) => tracing.stop()))

  const of = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
  const named = (traceId: string, name: string) => of(traceId).filter((span) => span.name === name)
  const [request] = named(first, 'POST createBatch')
  const [work] = named(first, 'process batch')
  expect(request).toMatchObject({ service: 'inventory', kind: 2, parentSpanId: '00f067aa0ba902b7' })
  expect(work).toMatchObject({ service: 'worker', kind: 5, parentSpanId: request!.spanId })
  expect(work?.facts).toEqual({
    ...{ 'driveaway.job': jobId, 'driveaway.client': 'uploader', 'driveaway.outcome': 'completed' },
  })
  for (const part of ['moderate', 'store vehicles'])
    expect(named(first, part)).toMatchObject([{ service: 'worker', parentSpanId: work!.spanId }])

  const attempts = named(second, 'process batch').map(({ status }) => status.message)
  expect(attempts).toEqual(['the attempt failed', undefined])
  expect(named(second, 'moderate').map(({ status }) => status.message)).toEqual(['failed', undefined])
  expect(collector.bodies.join('\n')).not.toMatch(/hidden|img\.test|Kia/)
})
