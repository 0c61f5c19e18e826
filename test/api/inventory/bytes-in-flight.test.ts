import { EventEmitter } from 'node:events'
import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { boundBytesInFlight, shareBytes } from '../../../api/inventory/bytes-in-flight.ts'

const MEGABYTE = 1024 ** 2

test('clients that fill what they may with large uploads leave room for the upload of another client', () => {
  const count = boundBytesInFlight(2 * MEGABYTE, 64 * MEGABYTE)
  const isCounted = (clientId: string, bytes: number) => {
    const ctx = { req: { headers: { 'content-length': String(bytes) } }, res: new EventEmitter() }
    try {
      count(ctx as unknown as Context, clientId)
      return true
    } catch {
      return false
    }
  }
  const large = Array.from({ length: 7 * 40 }, (_, at) => isCounted(`large ${Math.floor(at / 40)}`, 2 * MEGABYTE))
  expect(isCounted('small', 130_000)).toBe(true)
  expect(large.filter(Boolean)).toHaveLength(16 + 8 + 4 + 2 + 1)
})

test('bytes are given back when the answer closes, and none are kept of one that has closed already', () => {
  const count = shareBytes(10)
  const answer = (closed: boolean) => Object.assign(new EventEmitter(), { closed }) as never
  const open = new EventEmitter()
  expect(count(open as never, 'a', 4)).toBe(true)
  expect(count(answer(false), 'a', 4)).toBe(false)
  open.emit('close')
  for (let gone = 0; gone < 100; gone += 1) expect(count(answer(true), 'a', 4)).toBe(true)
  expect(count(answer(false), 'a', 4)).toBe(true)
})
