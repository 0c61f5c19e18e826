import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { followReleaseKeys } from '../../../api/load/follow-release-keys.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'

const folder = temporaryDirectory('release-keys')
const at = (...names: string[]) => join(folder.path, ...names)
afterAll(() => folder.remove())

async function newKey(kid: string) {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { d, ...rest } = { ...(await exportJWK(privateKey)), kid, environment: 'production' }
  return { secret: { ...rest, d }, published: rest }
}

/** Puts a version of a Secret in the place of another, as the kubelet does: by a link that is renamed. */
function mount(version: string, content: Record<string, unknown>): void {
  mkdirSync(at(version), { recursive: true })
  for (const [name, value] of Object.entries(content)) writeFileSync(at(version, name), JSON.stringify(value))
  symlinkSync(version, at('..next'))
  renameSync(at('..next'), at('..data'))
}

const days = (day: string) => Date.parse(`${day}T12:00:00Z`)

test('a key rotates without a restart, the retired one stays published with its date, and a fault leaves the last good keys', async () => {
  const [first, second] = [await newKey('r1'), await newKey('r2')]
  mount('v1', { 'key.json': first.secret, 'keys.json': [] })
  for (const name of ['key.json', 'keys.json']) symlinkSync(join('..data', name), at(name))
  const faults: unknown[] = []
  const log = { error: (each: unknown) => void faults.push(each), info: () => undefined } as never
  const followed = await followReleaseKeys({ keyFile: at('key.json'), keysFile: at('keys.json'), log })
  expect(followed.read().signing(0)?.kid).toBe('r1')
  expect(followed.read().published).toEqual([first.published])
  const retired = { ...first.published, signsUntil: '2026-12-31' }
  mount('v2', { 'key.json': second.secret, 'keys.json': [retired] })
  await expect.poll(() => followed.read().signing(0)?.kid, { timeout: 20_000 }).toBe('r2')
  expect(followed.read().published).toEqual([second.published, retired])
  mount('v3', { 'key.json': { kid: 'r3' }, 'keys.json': [retired] })
  await expect.poll(() => faults.length, { timeout: 20_000 }).toBe(1)
  expect(followed.read().signing(0)?.kid).toBe('r2')
  expect(JSON.stringify(faults)).not.toContain(second.secret.d)
  followed.stop()
})

test('keys are told once for each change of theirs, whatever else is written in their folder', async () => {
  const inside = (name: string) => at('with-a-log', name)
  mkdirSync(at('with-a-log'))
  const first = await newKey('r1')
  writeFileSync(inside('key.json'), JSON.stringify(first.secret))
  const told: unknown[] = []
  // As the log of the API, in a file of this folder, by its name and by a link.
  const info = (said: object) => {
    told.push(said)
    appendFileSync(inside('api.log'), 'a line')
    symlinkSync('api.log', inside(`link-${told.length}`))
  }
  const log = { error: (said: object) => info(said), info } as never
  const followed = await followReleaseKeys({ keyFile: inside('key.json'), keysFile: '', log })
  const { read, stop } = followed
  const ring = read()
  for (let line = 0; line < 6; line++) {
    appendFileSync(inside('api.log'), 'a line')
    writeFileSync(inside('key.json'), JSON.stringify(first.secret))
    await setTimeout(200)
  }
  expect(told).toEqual([{ kids: ['r1'] }])
  expect(read()).toBe(ring)
  const second = await newKey('r2')
  const writing = setInterval(() => appendFileSync(inside('api.log'), 'a line'), 20)
  writeFileSync(inside('key.json'), JSON.stringify(second.secret))
  await expect.poll(() => read().signing(0)?.kid, { timeout: 20_000 }).toBe('r2')
  clearInterval(writing)
  expect(told.at(-1)).toEqual({ kids: ['r2'] })
  stop()
})

test('a key does not sign after its last day', async () => {
  const { secret, published } = await newKey('r9')
  writeFileSync(at('last.json'), JSON.stringify(secret))
  writeFileSync(at('until.json'), JSON.stringify([{ ...published, signsUntil: '2026-12-31' }]))
  const log = { error: () => undefined, info: () => undefined } as never
  const followed = await followReleaseKeys({ keyFile: at('last.json'), keysFile: at('until.json'), log })
  followed.stop()
  expect(followed.read().signing(days('2026-12-31'))?.kid).toBe('r9')
  expect(followed.read().signing(days('2027-01-01'))).toBeUndefined()
})
