import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { followReleases, type ReleaseKey } from '../../evaluator/index.ts'
import { bundleOf, newReleaseKey, SIGNED_AT } from '../rates/release/signed-bundle.ts'

/** What the server answers: a bundle under its tag, or a status. */
let offered: { bytes: Uint8Array; tag: string } | number
const asked: (string | undefined)[] = []
const server = createServer(({ headers }, response) => {
  asked.push(headers['if-none-match'])
  if (typeof offered === 'number') return response.writeHead(offered).end()
  if (headers['if-none-match'] === offered.tag) return response.writeHead(304).end()
  response.writeHead(200, { etag: offered.tag }).end(offered.bytes)
})
let url: string
let keys: ReleaseKey[]
let first: Uint8Array<ArrayBuffer>
let second: Uint8Array<ArrayBuffer>
let foreign: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/current`
  const { signs, published } = await newReleaseKey()
  keys = [published]
  first = await bundleOf(signs)
  second = await bundleOf(signs, { iat: SIGNED_AT + 60 })
  foreign = await bundleOf((await newReleaseKey('r9')).signs)
}, 240_000)
beforeEach(() => void asked.splice(0))
afterAll(() => server.close())

test('what is new is taken over, and what is known is not loaded again', async () => {
  offered = { bytes: first, tag: '"1"' }
  let now = 1_000
  const taken: number[] = []
  const followed = await followReleases(url, {
    keys,
    clock: () => now,
    onRelease: ({ claims }) => taken.push(claims.iat),
  })
  now = 61_000
  await followed.refresh()
  expect([followed.ageMs(), taken]).toEqual([0, [SIGNED_AT]])
  offered = { bytes: second, tag: '"2"' }
  await followed.refresh()
  followed.stop()
  expect(taken).toEqual([SIGNED_AT, SIGNED_AT + 60])
  expect(asked).toEqual([undefined, '"1"', '"1"'])
})

test('a bundle of an unknown key and a failing server leave the last good release, whose age rises', async () => {
  offered = { bytes: first, tag: '"1"' }
  let now = 1_000
  const faults: string[] = []
  const onFault = (fault: unknown) => faults.push((fault as Error).message)
  const followed = await followReleases(url, { keys, clock: () => now, onFault })
  const { current } = followed
  now = 5_000
  offered = { bytes: foreign, tag: '"2"' }
  await followed.refresh()
  offered = 503
  await followed.refresh()
  expect(followed.current).toBe(current)
  expect(followed.ageMs()).toBe(4_000)
  expect(faults).toEqual(['the bundle is signed by key r9, which is not trusted', `${url} answered 503`])
  offered = { bytes: first, tag: '"1"' }
  await followed.refresh()
  followed.stop()
  expect([followed.ageMs(), followed.lastFault]).toEqual([0, undefined])
})

test('with no network a kept bundle quotes, and its age counts from its signature', async () => {
  offered = 503
  const followed = await followReleases(url, { keys, kept: first, clock: () => (SIGNED_AT + 30) * 1000 })
  followed.stop()
  expect(followed.current?.claims.iat).toBe(SIGNED_AT)
  expect(followed.ageMs()).toBe(30_000)
})

test('it looks again by itself', async () => {
  offered = { bytes: first, tag: '"1"' }
  const followed = await followReleases(url, { keys, everyMs: 20 })
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(3)
  followed.stop()
})

test('a server that knows no If-None-Match sends the same bundle again, which is told once', async () => {
  const files = createServer((_, response) => response.end(first))
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  const releases: string[] = []
  const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/rates.bundle`
  const followed = await followReleases(address, { keys, onRelease: ({ release }) => releases.push(release) })
  await followed.refresh()
  followed.stop()
  files.close()
  expect(releases).toEqual([followed.current?.release])
})
