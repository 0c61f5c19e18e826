import { expect, test } from 'vitest'
import { createLine, type Line, type LineLimits } from '../../runtime/line.ts'

const limits = (change: Partial<LineLimits> = {}): LineLimits => ({ running: 8, runningOfOne: 4, ...change })

function lineOf(order: string, change: Partial<LineLimits> = {}): Line<number> {
  const line = createLine<number>(limits(change))
  for (const [value, clientId] of [...order].entries()) line.add({ clientId, value })
  return line
}

function startAll(line: Line<number>): string {
  let started = ''
  for (let entry = line.next(); entry; entry = line.next()) started += entry.clientId
  return started
}

test('a client that came with one picture after another’s ten is second, not eleventh', () => {
  expect(startAll(lineOf('aaaaaaaaaab')).slice(0, 2)).toBe('ab')
})

test('a client has no more than its share at once, also when nobody else waits', () => {
  expect(startAll(lineOf('aaaaaaaaaa'))).toBe('aaaa')
})

test('a client that is alone may have more, and another that comes has its share at once', () => {
  const line = lineOf('aaaaaaaaaa', { running: 12, runningOfOne: 3, runningAlone: 6 })
  expect(startAll(line)).toBe('aaaaaa')
  for (const value of [0, 1, 2, 3]) line.add({ clientId: 'b', value })
  expect(startAll(line)).toBe('bbb')
})

test('the last quarter of the places is kept for clients that have nothing running', () => {
  expect(startAll(lineOf('aaaabbbbcd'))).toBe('abcdab')
  expect(startAll(lineOf('aaaabbbb'))).toBe('ababab')
})

test('what one client has waiting keeps its order', () => {
  const line = lineOf('aaa')
  expect([line.next(), line.next(), line.next()].map((entry) => entry?.value)).toEqual([0, 1, 2])
})

test('what has ended makes room for the client’s next', () => {
  const line = lineOf('aaaaa')
  const started = [line.next()!, line.next()!, line.next()!, line.next()!]
  expect(line.next()).toBeUndefined()
  line.done(started[0]!)
  expect(line.next()?.value).toBe(4)
})

test('the time of each task does not grow with the number of those behind it', () => {
  const timeOf = (count: number) => {
    const line = createLine<number>(limits())
    for (let value = 0; value < count; value++) line.add({ clientId: 'a', value })
    const before = process.cpuUsage()
    let sum = 0
    for (let entry = line.next(); entry; entry = line.next()) {
      sum += entry.value
      line.done(entry)
    }
    expect(sum).toBe((count * (count - 1)) / 2)
    return process.cpuUsage(before).user / 1_000
  }
  timeOf(20_000)
  // Moving all that wait at each turn takes about a minute for so many.
  expect(timeOf(400_000)).toBeLessThan(40 * Math.max(timeOf(20_000), 50))
})

test('tasks that come while others of the client begin keep their order', () => {
  const line = lineOf('aa')
  const values = [line.next()?.value]
  line.add({ clientId: 'a', value: 2 })
  values.push(line.next()?.value, line.next()?.value)
  line.add({ clientId: 'a', value: 3 })
  expect([...values, line.next()?.value, line.next()?.value]).toEqual([0, 1, 2, 3, undefined])
})
