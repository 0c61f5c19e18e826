import type { Context } from 'koa'
import { Registry } from 'prom-client'
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
