import { expect, test } from 'vitest'
import { ClientTurns, type Place, type TurnLimits } from '../../worker/batches/client-turns.ts'

const limits: TurnLimits = { running: 8, runningOfOne: 2, loading: 16, loadingBytes: 1_000 }

const turnsOf = (counts: Record<string, number>, change: Partial<TurnLimits> = {}): ClientTurns => {
  const turns = new ClientTurns({ ...limits, ...change })
  turns.learn(new Map(Object.entries(counts)))
  return turns
}

/** Asks for as many as may be asked for, and delivers each with enough behind it. */
function startAll(turns: ClientTurns, waiting = 100): { order: string; places: Place[] } {
  const places: Place[] = []
  let order = ''
  for (let token = turns.next(0); token !== undefined; token = turns.next(0)) {
    order += token
    places.push(turns.delivered(token, waiting))
  }
  return { order, places }
}

test('a client that is alone has every place but the last quarter, which is for whoever comes', () => {
  const turns = turnsOf({ a: 12_000 })
  expect(startAll(turns).order).toBe('aaaaaa')
  turns.tell('b')
  expect(turns.next(0)).toBe('b')
})

test('while others have batches too, each has its share, in turns', () => {
  expect(startAll(turnsOf({ a: 12_000, b: 5 })).order).toBe('abab')
  expect(startAll(turnsOf({ a: 9, b: 9, c: 9, d: 9, e: 9, f: 9, g: 9, h: 9, i: 9 })).order).toBe('abcdefgh')
})

test('no more is asked for than is known to wait, and what waits is learned with each delivery', () => {
  const turns = turnsOf({ a: 1 })
  expect([turns.next(0), turns.next(0)]).toEqual(['a', undefined])
  turns.delivered('a', 1)
  expect([turns.next(0), turns.next(0)]).toEqual(['a', undefined])
})

test('a client without batches is asked again after 50 ms, then more rarely, and is forgotten when it has nothing', () => {
  const turns = turnsOf({ a: 1 })
  expect(turns.next(0)).toBe('a')
  const doubts = [turns.nothing('a', 0)]
  for (const now of [50, 250, 1_050]) {
    expect([turns.next(now - 1), turns.next(now)]).toEqual([undefined, 'a'])
    doubts.push(turns.nothing('a', now))
  }
  expect(doubts).toEqual([false, false, false, true])
  turns.forget('a')
  expect(turns.next(100_000)).toBeUndefined()
})

test('a place that is given back while pictures load is somebody else’s, and is had again before any new batch begins', async () => {
  const turns = turnsOf({ a: 9 }, { running: 1 })
  turns.next(0)
  const first = turns.delivered('a', 8)
  expect(turns.next(0)).toBeUndefined()
  expect(first.leave(10)).toBe(true)
  expect(turns.next(0)).toBe('a')
  const second = turns.delivered('a', 7)
  let isBack = false
  const back = first.comeBack().then(() => (isBack = true))
  await Promise.resolve()
  expect(isBack).toBe(false)
  second.end()
  expect(turns.next(0)).toBeUndefined()
  await back
  first.end()
  expect(turns.next(0)).toBe('a')
})

test('what waits for pictures is bounded in number and bytes, and whoever has much of it leaves room for others', () => {
  const turns = turnsOf({ a: 100 }, { running: 100, runningOfOne: 100 })
  const left = startAll(turns).places.map((place) => place.leave(100))
  expect(left.filter(Boolean)).toHaveLength(5)
  turns.tell('b')
  expect(turns.next(0)).toBe('b')
  const [one, other] = [turns.delivered('b', 1), (turns.next(0), turns.delivered('b', 1))]
  expect([one.leave(600), one.leave(300), other.leave(100)]).toEqual([false, true, false])
})

test('a client that loads pictures has no more batches begun than have room to wait for theirs', () => {
  const turns = turnsOf({ a: 100 }, { running: 100, runningOfOne: 100, loading: 12 })
  turns.next(0)
  expect(turns.delivered('a', 100).leave(1)).toBe(true)
  const begun = startAll(turns).places
  expect(begun.length).toBeGreaterThan(3)
  expect(begun.map((place) => place.leave(1))).toEqual(begun.map(() => true))
})

test('a batch that ends while it waits for pictures leaves nothing behind', () => {
  const turns = turnsOf({ a: 1 }, { running: 1, loading: 2 })
  turns.next(0)
  const place = turns.delivered('a', 1)
  place.leave(10)
  place.end()
  expect(turns.next(0)).toBe('a')
  expect(turns.delivered('a', 0).leave(1_000)).toBe(true)
})

test('a batch of which the worker is told before the answer that did not count it is asked for', () => {
  const turns = turnsOf({})
  turns.tell('a')
  expect(turns.next(0)).toBe('a')
  turns.tell('a')
  turns.delivered('a', 0).end()
  expect([turns.next(0), turns.next(0)]).toEqual(['a', undefined])
})

test('so is one of which it is told before an answer that found none', () => {
  const turns = turnsOf({})
  turns.tell('a')
  turns.next(0)
  turns.tell('a')
  turns.nothing('a', 0)
  expect([turns.next(0), turns.next(0)]).toEqual(['a', undefined])
})
