import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { get } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import { afterEach, expect, test } from 'vitest'
import { serve } from '../../../api/http/serve.ts'
import { freePort } from '../../../tools/stack/free-port.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { connect } from './raw-request.ts'

const sockets: Socket[] = []
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()))

/** A connection on which this much was sent; nothing more comes, and it is never hung up. */
async function left(port: number, sent: string): Promise<Socket> {
  const socket = await connect(port)
  sockets.push(socket)
  socket.resume()
  if (sent) socket.write(sent)
  return socket
}

const request = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'
const post =
  'POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 50\r\n\r\n'
const LEFT: Record<string, string> = {
  'is never used': '',
  'holds half of a header': 'GET /livez HTTP/1.1\r\nhos',
  'is idle after a request': request,
  'holds half of a second header': `${request}GET /li`,
  'holds half of a body': `${post}grant_`,
}
const app = () =>
  new Koa().use(async (ctx) => {
    for await (const chunk of ctx.req) void chunk
    ctx.body = 'served'
  })

for (const [what, sent] of Object.entries(LEFT)) {
  test(`a socket that ${what} does not hold a stopping server`, async () => {
    const served = await serve(app(), { host: '127.0.0.1', port: 0, finishMs: 300 })
    await left(served.port, sent)
    await sleep(50)
    const start = performance.now()
    await served.close()
    expect(performance.now() - start).toBeLessThan(3_000)
  })
}

test('a socket whose other side has hung up, and one that half-closed, do not hold a stopping server', async () => {
  const served = await serve(app(), { host: '127.0.0.1', port: 0, finishMs: 300 })
  ;(await left(served.port, request)).end()
  ;(await left(served.port, 'GET /li')).end()
  ;(await left(served.port, '')).resetAndDestroy()
  const start = performance.now()
  await served.close()
  expect(performance.now() - start).toBeLessThan(3_000)
})

test('a request in flight is answered before its server stops', async () => {
  let finish = (): void => undefined
  const slow = new Koa().use(async (ctx) => {
    await new Promise<void>((resolve) => (finish = resolve))
    ctx.body = 'served'
  })
  const served = await serve(slow, { host: '127.0.0.1', port: 0 })
  const asked = fetch(served.url)
  await left(served.port, '')
  await sleep(50)
  const closed = served.close()
  await sleep(150)
  finish()
  expect(await (await asked).text()).toBe('served')
  await closed
})

test(
  'the program ends with 0 within its grace period, with sockets of every kind on each of its ports',
  { timeout: 180_000 },
  async () => {
    const [pricing, inventory, health] = [await freePort(), await freePort(), await freePort()]
    const folder = temporaryDirectory('shutdown')
    const child = spawn(process.execPath, ['api/main.ts'], {
      env: {
        ...process.env,
        ...{
          SERVE: 'both',
          HOST: '127.0.0.1',
          PRICING_PORT: `${pricing}`,
          INVENTORY_PORT: `${inventory}`,
          HEALTH_PORT: `${health}`,
        },
        ...{
          RATES_SOURCE: 'directory',
          RATES_DIRECTORY: folder.path,
          NATS_URL: `nats://127.0.0.1:${await freePort()}`,
        },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += String(chunk)))
    try {
      const answers = () =>
        new Promise<boolean>((resolve) =>
          get(`http://127.0.0.1:${health}/livez`, ({ statusCode }) => resolve(statusCode === 200)).on('error', () =>
            resolve(false),
          ),
        )
      await waitFor('the health port', answers, { timeoutMs: 120_000 })
      for (const port of [pricing, inventory, health]) for (const sent of Object.values(LEFT)) await left(port, sent)
      await sleep(100)
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number]
      expect([code, /did not stop in time|could not stop/.exec(said)?.[0]]).toEqual([0, undefined])
      expect(said).toContain('"msg":"stopped"')
    } finally {
      child.kill('SIGKILL')
      folder.remove()
    }
  },
)
