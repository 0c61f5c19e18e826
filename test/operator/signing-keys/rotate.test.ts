import { expect, test } from 'vitest'
import { rotate, type HeldKeys, type SigningKey } from '../../../operator/signing-keys/rotate.ts'

const HOUR = 3_600_000
const options = { intervalMs: 24 * HOUR, keptMs: HOUR }
const start = Date.parse('2026-11-21T00:00:00Z')
let made = 0

const turn = (keys: readonly SigningKey[], hours: number, held: HeldKeys) =>
  rotate(keys, { now: new Date(start + hours * HOUR), held, makeKey: async () => ({ kid: `k${++made}` }) }, options)

const key = (state: SigningKey['state'], kid: string, hours: number): SigningKey => ({
  state,
  since: new Date(start + hours * HOUR).toISOString(),
  jwk: { kid },
})
const shown = (keys: readonly SigningKey[]) => keys.map(({ state, jwk }) => `${String(jwk['kid'])} ${state}`)

test('the first key is made as the next one', async () => {
  expect((await turn([], 0, [])).map(({ state }) => state)).toEqual(['next'])
})

test('the first key signs when every process that answers holds it, and some process does', async () => {
  const keys = [key('next', 'a', 0)]
  expect(shown(await turn(keys, 0, [[], ['a']]))).toEqual(['a next'])
  expect(shown(await turn(keys, 0, [undefined]))).toEqual(['a next'])
  expect(shown(await turn(keys, 0, [undefined, ['a']]))).toEqual(['a current'])
  expect(shown(await turn(keys, 0, []))).toEqual(['a current'])
})

test('a next key is made as soon as there is none', async () => {
  const keys = await turn([key('current', 'a', 0)], 1, [['a']])
  expect(keys.map(({ state }) => state)).toEqual(['current', 'next'])
})

test('a key that is due gives way only when every process holds the next one', async () => {
  const keys = [key('current', 'a', 0), key('next', 'b', 0)]
  expect(await turn(keys, 23, [['a', 'b']])).toBe(keys)
  expect(await turn(keys, 24, [['a', 'b'], ['a']])).toBe(keys)
  expect(await turn(keys, 24, [['a', 'b'], undefined])).toBe(keys)
  const turned = await turn(keys, 24, [
    ['a', 'b'],
    ['b', 'a'],
  ])
  expect(shown(turned)).toEqual(['a previous', 'b current'])
  expect(turned.map(({ since }) => since)).toEqual(Array(2).fill('2026-11-22T00:00:00.000Z'))
})

test('a previous key stays for one token lifetime after its last signature', async () => {
  const keys = [key('previous', 'a', 24), key('current', 'b', 24), key('next', 'c', 24)]
  expect(await turn(keys, 24.99, [])).toBe(keys)
  expect(shown(await turn(keys, 25, []))).toEqual(['b current', 'c next'])
})
