import { expect, test } from 'vitest'
import { createLine, type Line, type LineLimits } from '../../worker/line.ts'

const limits = (change: Partial<LineLimits> = {}): LineLimits => ({
  ...{ running: 8, runningOfOne: 4, runningBytes: 1_000, waiting: 10 },
  ...change,
})

function lineOf(order: string, change: Partial<LineLimits> = {}, bytes = 1): Line<number> {
  const line = createLine<number>(limits(change))
  for (const [value, clientId] of [...order].entries()) line.add({ clientId, bytes, value })
  return line
}

function startAll(line: Line<number>): string {
  let started = ''
  for (let entry = line.next(); entry; entry = line.next()) started += entry.clientId
  return started
}

test('a client that came with one batch after another’s ten is second, not eleventh', () => {
  expect(startAll(lineOf('aaaaaaaaaab')).slice(0, 2)).toBe('ab')
})

test('a client has no more than its share at once, also when nobody else waits', () => {
  expect(startAll(lineOf('aaaaaaaaaa'))).toBe('aaaa')
})

test('the last quarter of the places is kept for clients that have nothing running', () => {
  expect(startAll(lineOf('aaaabbbbcd'))).toBe('abcdab')
  expect(startAll(lineOf('aaaabbbb'))).toBe('ababab')
})

test('batches of one client keep their order', () => {
  const line = lineOf('aaa')
  expect([line.next(), line.next(), line.next()].map((entry) => entry?.value)).toEqual([0, 1, 2])
})

test('bytes at work are bounded, and a batch beyond the bound runs alone', () => {
  expect(startAll(lineOf('abcd', { runningBytes: 10 }, 4))).toBe('ab')
  const line = lineOf('ab', { runningBytes: 10 }, 40)
  const first = line.next()!
  expect(line.next()).toBeUndefined()
  line.done(first)
  expect(line.next()?.clientId).toBe('b')
})

test('a full line whose only client has its share at work puts the newer half of it back', () => {
  const line = lineOf('aaaaaaaaaaaaaa')
  expect(startAll(line)).toBe('aaaa')
  expect(line.room()).toBe(0)
  expect(line.takeSurplus().map(({ value }) => value)).toEqual([9, 10, 11, 12, 13])
  expect(line.room()).toBe(5)
  expect(line.takeSurplus()).toEqual([])
})

test('a line that has room, or somebody who may be next, puts nothing back', () => {
  expect(lineOf('aaaaaaaaa').takeSurplus()).toEqual([])
  expect(lineOf('aaaaaaaaaab').takeSurplus()).toEqual([])
})

test('an ended batch makes room for the client’s next', () => {
  const line = lineOf('aaaaa')
  const started = [line.next()!, line.next()!, line.next()!, line.next()!]
  expect(line.next()).toBeUndefined()
  line.done(started[0]!)
  expect(line.next()?.value).toBe(4)
  expect(line.clear()).toEqual([])
})
