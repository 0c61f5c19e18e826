import { expect, test } from 'vitest'
import { admit, isAdmitted, type Admitted } from '../../../operator/attestation/admitted.ts'

let clock = 0
const admission = (_: string, digest: string) => ({
  ...{ digest, at: new Date(++clock * 1000).toISOString(), kid: `key-${clock}` },
})
const after = (names: string[], from: Admitted = {}) =>
  names.reduce((admitted, digest) => admit(admitted, [{ name: 'one', digest }], admission), from)

test('what was published before is admitted, for its own set only', () => {
  const admitted = after(['a', 'b'])
  expect(isAdmitted(admitted, 'one', 'a')).toBe(true)
  expect(isAdmitted(admitted, 'one', 'c')).toBe(false)
  expect(isAdmitted(admitted, 'two', 'a')).toBe(false)
})

test('what is published again comes first and keeps whose word it was', () => {
  const admitted = after(['a', 'b'])
  const word = admitted['one']?.[1]?.kid
  const again = after(['a'], admitted)
  expect(again['one']?.map(({ digest }) => digest)).toEqual(['a', 'b'])
  expect(again['one']?.[0]?.kid).toBe(word)
})

test('nothing changes where the newest is published still', () => {
  const admitted = after(['a', 'b'])
  expect(after(['b'], admitted)).toBe(admitted)
})

test('of one set the last twenty are remembered', () => {
  const names = Array.from({ length: 25 }, (_, at) => `digest-${at}`)
  const admitted = after(names)
  expect(admitted['one']?.map(({ digest }) => digest)).toEqual(names.slice(5).reverse())
})

test('of all sets so many are remembered as one ConfigMap holds, the oldest go first', () => {
  const sets = Array.from({ length: 200 }, (_, at) => ({ name: `set-${at}`, digest: '' }))
  let admitted: Admitted = {}
  for (let round = 0; round < 20; round++)
    admitted = admit(
      admitted,
      sets.map((set) => ({ ...set, digest: `sha256:${String(round).padStart(64, '0')}` })),
      (name, digest) => ({
        ...admission(name, digest),
        kid: 'k'.repeat(64),
        environment: 'e'.repeat(64),
        issuedAt: '2026-11-21T10:00:00.000Z',
      }),
    )
  expect(Object.values(admitted).flat()).toHaveLength(3000)
  expect(Buffer.byteLength(JSON.stringify({ sets: admitted }))).toBeLessThan(1024 * 1024)
  expect(isAdmitted(admitted, 'set-0', `sha256:${'19'.padStart(64, '0')}`)).toBe(true)
  expect(isAdmitted(admitted, 'set-0', `sha256:${'4'.padStart(64, '0')}`)).toBe(false)
})
