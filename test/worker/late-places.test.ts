import type { JsMsg } from '@nats-io/jetstream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LatePlaces, type LateTry } from '../../worker/late-pictures/late-places.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

interface Served {
  deliveries: number
  judged: number
}

const vehicle = (seq: number, client: string) => ({ seq, subject: `late-pictures.${client}` }) as JsMsg

interface Serving {
  tryMs: number
  forMs: number
  clients?: string[]
}

/** So many due vehicles of these clients, each of which takes so long, while another client has one that is not due. */
function serve(count: number, { tryMs, forMs, clients = ['a'] }: Serving): Served {
  const places = new LatePlaces()
  places.know([...clients, 'z'].map((client) => `late-pictures.${client}`))
  let coming = Array.from({ length: count }, (_, n) => ({
    message: vehicle(n + 1, clients[n % clients.length]!),
    at: 0,
  }))
  let tries: LateTry[] = []
  const served = { deliveries: 0, judged: 0 }
  for (let now = 0; now < forMs; now += 5) {
    const isOver = ({ since }: LateTry) => performance.now() - since >= tryMs
    for (const each of tries.filter(isOver)) served.judged += places.end(each) ? 1 : 0
    tries = tries.filter((each) => !isOver(each))
    const [here, later] = [coming.filter(({ at }) => at <= now), coming.filter(({ at }) => at > now)]
    coming = later
    for (const { message } of here) {
      served.deliveries += 1
      if (!places.isFull) tries.push(places.enter(message))
      else coming.push({ message, at: now + places.backMs(message, 30_000) })
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

test('vehicles of many clients, or very many, come back at no higher rate, and leave no place empty', () => {
  for (const clients of [['a'], [...'abcdefgh']]) {
    const { deliveries, judged } = serve(6_000, { tryMs: 200, forMs: 20_000, clients })
    expect(deliveries - 6_000).toBeLessThan(20 * 500)
    expect(judged).toBeGreaterThan(20 * 40 * 0.9)
  }
})

test('a client with few vehicles does not wait for the many of another', () => {
  const places = new LatePlaces()
  for (let n = 0; n < 8; n += 1) places.enter(vehicle(n, 'a'))
  vi.advanceTimersByTime(60_000)
  for (let n = 8; n < 4_000; n += 1) places.backMs(vehicle(n, 'a'), 30_000)
  expect(places.backMs(vehicle(3_999, 'a'), 30_000)).toBeGreaterThan(10_000)
  expect(places.backMs(vehicle(4_000, 'b'), 30_000)).toBe(5_000)
})

/** Eight clients with a place each. */
function full(): { places: LatePlaces; tries: LateTry[] } {
  const places = new LatePlaces()
  return { places, tries: [...'abcdefgh'].map((client, n) => places.enter(vehicle(n, client))) }
}

test('vehicles are asked for without a free place only for clients that have neither a place nor a vehicle that waits', () => {
  const { places } = full()
  const know = (clients: string) => places.know(Array.from(clients, (client) => `late-pictures.${client}`))
  know('abcdefgh')
  expect(places.room()).toBe(0)
  know('abcdefghi')
  expect(places.room()).toBeGreaterThan(0)
  places.wait(vehicle(100, 'i'))
  expect(places.room()).toBe(0)
  know('abcdefghij')
  expect(places.room()).toBeGreaterThan(0)
})

test('one vehicle of each client without a place waits, the first come gets the next place, and all of them are alive', () => {
  const { places, tries } = full()
  expect(places.wait(vehicle(100, 'a'))).toBe(false)
  expect(places.wait(vehicle(101, 'i'))).toBe(true)
  expect(places.wait(vehicle(102, 'i'))).toBe(false)
  expect(places.wait(vehicle(103, 'j'))).toBe(true)
  const again = vehicle(101, 'i')
  expect(places.renew(again)).toBe(true)
  expect(places.renew(vehicle(102, 'i'))).toBe(false)
  expect(places.messages()).toEqual([...tries.map(({ message }) => message), again, vehicle(103, 'j')])
  expect(places.nextWaiting()).toBe(again)
  expect(places.nextWaiting()?.seq).toBe(103)
  expect(places.nextWaiting()).toBeUndefined()
})

test('no more vehicles are asked for than can wait', () => {
  const { places } = full()
  places.know(Array.from({ length: 200 }, (_, n) => `late-pictures.${n}`))
  const most = places.room()
  for (let n = 0; n < most; n += 1) {
    expect(places.room()).toBe(most - n)
    expect(places.wait(vehicle(100 + n, `${n}`))).toBe(true)
  }
  expect(places.room()).toBe(0)
  expect(places.wait(vehicle(1_000, 'z'))).toBe(false)
})
