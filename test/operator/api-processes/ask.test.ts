import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { KNOWN_RELEASE, type Loaded, type RateSetEntry } from '#rates/published/format.ts'
import { startHealth } from '#runtime/health.ts'
import { withoutKnown } from '../../../api/load/without-known.ts'
import { overHttp } from '../../../operator/api-processes/ask.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const digest = (nth: number) => `sha256:${String(nth).padStart(64, '0')}`
const entries = Array.from({ length: 500 }, (_, nth) => ({ name: `au-${nth}`, digest: digest(nth) }) as RateSetEntry)
const sets = Object.fromEntries(entries.map(({ name, digest }) => [name, digest]))
const report = (release: string): Loaded & { lastContact: string } => ({
  ...{ program: 'api', instance: 'a', formatVersions: [2, 1], loadedAt: null, lastError: null, signingKeys: [] },
  ...{ release, sequence: 1, sets, clients: { digest: 'x', sequence: 1 }, lastContact: String(performance.now()) },
})

/** A process as it is shipped: its health port, and what it leaves out. */
async function startProcess(answer: { release: string }) {
  const health = await startHealth({
    ...{ host: '127.0.0.1', port: 0, registry: new Registry(), ready: () => ({ ok: true, body: {} }) },
    routes: { '/loaded': (headers) => withoutKnown(report(answer.release), headers[KNOWN_RELEASE]) },
  })
  open.push(() => health.close())
  return `http://127.0.0.1:${health.port}`
}

/** What the process sends in bytes, by a proxy of one request after another. */
async function measured(url: string) {
  let bytes = 0
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      ['if-none-match', KNOWN_RELEASE].flatMap((name) => {
        const value = (request.headers as IncomingHttpHeaders)[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const answer = await fetch(new URL(request.url ?? '/', url), { headers })
    const body = Buffer.from(await answer.arrayBuffer())
    bytes += body.length
    const etag = answer.headers.get('etag')
    response.writeHead(answer.status, etag ? { etag } : {}).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes }
}

test('a process with 500 sets is asked in a few hundred bytes, and in none when it says the same again', async () => {
  const answer = { release: 'one' }
  const { url, bytes } = await measured(await startProcess(answer))
  const ask = overHttp(() => ({ release: 'one', published: entries }))
  const first = await ask(url)
  expect([first.release, Object.keys(first.sets).length]).toEqual(['one', 500])
  expect(bytes()).toBeLessThan(400)
  const after = bytes()
  expect(await ask(url)).toBe(first)
  expect(bytes()).toBe(after)
})

test('a process that serves another release than is known says all of its digests', async () => {
  const answer = { release: 'old' }
  const url = await startProcess(answer)
  const ask = overHttp(() => ({ release: 'new', published: entries.slice(0, 1) }))
  expect(Object.keys((await ask(url)).sets)).toHaveLength(500)
  answer.release = 'new'
  expect((await ask(url)).sets).toEqual({ 'au-0': digest(0) })
})

test('a process of an earlier version answers in full, without a validator, and is understood', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(report('one'))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const ask = overHttp(() => ({ release: 'one', published: [] }))
  const loaded = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(Object.keys(loaded.sets)).toHaveLength(500)
  server.closeAllConnections()
})

test('an operator of an earlier version, or a person, gets the whole report', async () => {
  const url = await startProcess({ release: 'one' })
  const whole = (await (await fetch(`${url}/loaded`)).json()) as Loaded
  expect(Object.keys(whole.sets)).toHaveLength(500)
  expect(whole).toHaveProperty('lastContact')
})
