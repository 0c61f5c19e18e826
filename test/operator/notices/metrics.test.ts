import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { releaseTeller, type TellerSurroundings } from '../../../operator/loop/assemble-notices.ts'
import { noticesMetrics } from '../../../operator/notices/metrics.ts'

const GAUGE = 'driveaway_notices_behind_seconds'

function atTime(start: number) {
  const registry = new Registry()
  const time = { now: start }
  const metrics = noticesMetrics(registry, () => time.now)
  const behind = async () => (await registry.getSingleMetric(GAUGE)!.get()).values[0]!.value
  return { metrics, time, behind }
}

test('the time that clients wait counts from the first run that could not tell them', async () => {
  const { metrics, time, behind } = atTime(1_000)
  expect(await behind()).toBe(0)
  expect(metrics.behind()).toBe(true)
  time.now = 4_000
  expect(metrics.behind()).toBe(false)
  expect(await behind()).toBe(3)
  expect([metrics.caughtUp(), metrics.caughtUp()]).toEqual([true, false])
  expect(await behind()).toBe(0)
})

test('an operator that leads no longer does not say that clients wait', async () => {
  const { metrics, time, behind } = atTime(1_000)
  const term = new AbortController()
  const post = { metrics, outbox: () => undefined, stop: () => Promise.resolve() }
  const configuration = { namespace: 'driveaway', environment: '' }
  releaseTeller({ configuration, post } as TellerSurroundings, term.signal)
  metrics.behind()
  time.now = 4_000
  term.abort()
  expect(await behind()).toBe(0)
})
