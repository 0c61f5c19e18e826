import { createServer, type AddressInfo } from 'node:net'
import { Counter, Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { startHealth } from '#runtime/health.ts'

const host = '127.0.0.1'
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function start(ready: () => { ok: boolean; body: object }, routes?: Record<string, () => object>) {
  const registry = new Registry()
  new Counter({ name: 'quotes_total', help: 'Quotes.', registers: [registry] }).inc(3)
  const health = await startHealth({ host, port: 0, ready, registry, routes })
  open.push(health)
  return (path: string) => fetch(`http://${host}:${health.port}${path}`)
}

test('readiness follows the program from one request to the next, and its body says why', async () => {
  let ok = false
  const get = await start(() => ({ ok, body: { reason: ok ? 'loaded' : 'no snapshot' } }))
  const before = await get('/readyz')
  expect([before.status, await before.json()]).toEqual([503, { reason: 'no snapshot' }])
  ok = true
  const after = await get('/readyz?verbose')
  expect([after.status, await after.json()]).toEqual([200, { reason: 'loaded' }])
  expect((await get('/livez')).status).toBe(200)
})

test('metrics are in the Prometheus text format', async () => {
  const get = await start(() => ({ ok: true, body: {} }))
  const answer = await get('/metrics')
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(await answer.text()).toContain('quotes_total 3')
})

test('a route of the program is served as JSON, a path that nobody gave is 404, a route that throws is 500', async () => {
  const routes = {
    '/loaded': () => ({ release: 'abc' }),
    '/broken': () => {
      throw new Error('no')
    },
  }
  const get = await start(() => ({ ok: true, body: {} }), routes)
  expect(await (await get('/loaded')).json()).toEqual({ release: 'abc' })
  expect((await get('/toString')).status).toBe(404)
  expect((await get('/broken')).status).toBe(500)
})

test('a port that is taken is an error at the start', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, host, resolve))
  const { port } = taken.address() as AddressInfo
  const starting = startHealth({ host, port, ready: () => ({ ok: true, body: {} }), registry: new Registry() })
  await expect(starting).rejects.toThrow('EADDRINUSE')
  taken.close()
})
