import { expect, test } from 'vitest'
import { ringOf, type SigningKey } from '../../../operator/signing-keys/ring.ts'
import { rotate, untilRotation, type HeldKeys } from '../../../operator/signing-keys/rotate.ts'

const HOUR = 3_600_000
const options = { intervalMs: 24 * HOUR, keptMs: HOUR }
const start = Date.parse('2026-11-21T00:00:00Z')
let made = 0

const turn = (keys: readonly SigningKey[], hours: number, held: HeldKeys) =>
  rotate(
    keys,
    { now: new Date(start + hours * HOUR), reported: held, makeKey: async () => ({ kid: `k${++made}`, d: 'private' }) },
    options,
  )

const key = (state: SigningKey['state'], kid: string, hours: number): SigningKey => ({
  state,
  since: new Date(start + hours * HOUR).toISOString(),
  jwk: { kid, d: 'private' },
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

const publicHalf = ({ jwk, ...rest }: SigningKey): SigningKey => ({ ...rest, jwk: { kid: jwk['kid'] } })

test('what is published and no longer in the Secret is kept to verify with; a next key has signed nothing', () => {
  const published = [key('previous', 'a', 0), key('current', 'b', 1), key('next', 'c', 1)].map(publicHalf)
  expect(shown(ringOf([], published))).toEqual(['a previous', 'b current'])
  const both = [key('current', 'b', 1), key('next', 'c', 1)]
  expect(ringOf(both, published)).toEqual([publicHalf(key('previous', 'a', 0)), ...both])
  // Stopped between the two writes of a turn: the Secret has a current key, the ConfigMap still names the lost one.
  const retired = ringOf([key('current', 'd', 9)], [publicHalf(key('current', 'b', 1))])
  expect(retired).toEqual([
    { ...publicHalf(key('current', 'b', 1)), state: 'previous', since: key('current', 'd', 9).since },
    key('current', 'd', 9),
  ])
})

test('a lost key that signs is due at once, and stays until every process holds the next one', async () => {
  const lost = publicHalf(key('current', 'a', 0))
  const keys = await turn([lost], 1, [['a']])
  expect(keys.map(({ state }) => state)).toEqual(['current', 'next'])
  const next = String(keys[1]?.jwk['kid'])
  expect(await turn(keys, 1, [['a', next], ['a']])).toBe(keys)
  expect(await turn(keys, 1, [['a', next], undefined])).toBe(keys)
  expect(shown(await turn(keys, 1, [['a', next], [next]]))).toEqual(['a previous', `${next} current`])
})

test('a process that does not answer keeps a lost key for a minute, and no longer', async () => {
  const keys = [publicHalf(key('current', 'a', 0)), key('next', 'b', 1)]
  const minutes = (count: number) => 1 + count / 60
  expect(untilRotation(keys, new Date(start + HOUR), options)).toBe(60_000)
  expect(await turn(keys, minutes(0.9), [['a', 'b'], undefined])).toBe(keys)
  expect(await turn(keys, minutes(1), [['a'], undefined])).toBe(keys)
  expect(shown(await turn(keys, minutes(1), [['a', 'b'], undefined]))).toEqual(['a previous', 'b current'])
})

test('the tokens of a lost key stay valid for one token lifetime after the next key took over', async () => {
  const keys = [{ ...publicHalf(key('previous', 'a', 24)) }, key('current', 'b', 24), key('next', 'c', 24)]
  expect(await turn(keys, 24.99, [])).toBe(keys)
  expect(shown(await turn(keys, 25, []))).toEqual(['b current', 'c next'])
})
