import { EventEmitter } from 'node:events'
import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { boundBytesInFlight } from '../../../api/inventory/bytes-in-flight.ts'

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
