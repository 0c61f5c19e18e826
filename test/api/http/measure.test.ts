import type { Context } from 'koa'
import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { measure } from '../../../api/http/measure.ts'

const answered = (operationId: string, statusCode: number, aborted = false) =>
  ({ state: { operationId, aborted }, res: { statusCode } }) as unknown as Context

test('each answer is counted once, by operation and status, however often the metrics are read', async () => {
  const registry = new Registry()
  const measured = measure(registry)
  const counts = async () => {
    const text = await registry.metrics()
    return text.split('\n').filter((line) => line.startsWith('driveaway_requests_total{'))
  }
  for (const status of [200, 200, 400]) measured(answered('createQuote', status), 1)
  measured(answered('listRules', 200, true), 1)
  const first = [
    'driveaway_requests_total{operation="createQuote",status="200"} 2',
    'driveaway_requests_total{operation="createQuote",status="400"} 1',
    'driveaway_requests_total{operation="listRules",status="499"} 1',
  ]
  expect(await counts()).toEqual(first)
  expect(await counts()).toEqual(first)
  measured(answered('createQuote', 400), 1)
  expect(await counts()).toEqual([first[0], first[1]!.replace(/1$/, '2'), first[2]])
})

test('the durations are the same text as that of a histogram of the library', async () => {
  const registry = new Registry()
  const measured = measure(registry)
  const name = 'driveaway_request_duration_seconds'
  const ofLibrary = new Registry()
  const plain = new Histogram({
    name,
    help: 'Seconds from reading the request line to having the response.',
    labelNames: ['operation'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [ofLibrary],
  })
  // Below, at and above bounds, and above all of them.
  const answers = [0.2, 0.5, 0.50001, 3, 100, 2500, 2500.001, 60_000].flatMap((ms) => [
    ['createQuote', ms] as const,
    ['listRules', ms * 1.5] as const,
  ])
  for (const [operation, ms] of answers) {
    measured(answered(operation, 200), ms)
    plain.observe({ operation }, ms / 1000)
  }
  expect(await registry.getSingleMetricAsString(name)).toBe(await ofLibrary.getSingleMetricAsString(name))
  const json = async (of: Registry) => (await of.getMetricsAsJSON()).find((each) => each.name === name)
  // The library adds empty examples.
  expect(await json(ofLibrary)).toMatchObject((await json(registry))!)
})
