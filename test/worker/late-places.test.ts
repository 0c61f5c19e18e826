import type { JsMsg } from '@nats-io/jetstream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LatePlaces } from '../../worker/late-pictures/late-places.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

interface Served {
  deliveries: number
  judged: number
}

/** So many due vehicles of one client, each of which takes so long, while another client has one that is not due. */
function serve(count: number, { tryMs, forMs }: { tryMs: number; forMs: number }): Served {
  const places = new LatePlaces()
  places.know(['late-pictures.a', 'late-pictures.b'])
  let coming = Array.from({ length: count }, (_, n) => ({ seq: n + 1, at: 0 }))
  const served = { deliveries: 0, judged: 0 }
  for (let now = 0; now < forMs; now += 5) {
    for (const each of [...places.all()].filter(({ since }) => performance.now() - since >= tryMs)) {
      places.end(each)
      served.judged += 1
    }
    const [here, later] = [coming.filter(({ at }) => at <= now), coming.filter(({ at }) => at > now)]
    coming = later
    for (const { seq } of here) {
      served.deliveries += 1
      if (!places.isFull) places.enter({ seq, subject: 'late-pictures.a' } as JsMsg)
      else coming.push({ seq, at: now + places.backMs(30_000) })
    }
    vi.advanceTimersByTime(5)
  }
  return served
}

test('many vehicles without a place come back about once in five seconds, and leave no place empty', () => {
  const { deliveries, judged } = serve(2_000, { tryMs: 200, forMs: 20_000 })
  expect(deliveries).toBeLessThan(20 * 500)
  expect(judged).toBeGreaterThan(20 * 40 * 0.9)
})

test('few vehicles without a place come back as fast as places become free', () => {
  const { deliveries, judged } = serve(80, { tryMs: 200, forMs: 2_500 })
  expect(judged).toBe(80)
  expect(deliveries).toBeLessThan(80 * 4)
})

test('vehicles without a place come back ever later while tries end that take longer than those before', () => {
  expect(serve(100, { tryMs: 60_000, forMs: 20_000 }).deliveries).toBeLessThan(1_000)
})
