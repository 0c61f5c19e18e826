import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import Koa from 'koa'
import { afterEach, expect, test } from 'vitest'
import { serve, type HttpServer } from '../../../api/http/serve.ts'

const agents: Agent[] = []
afterEach(() => agents.splice(0).forEach((agent) => agent.destroy()))

const app = () => new Koa().use((ctx) => void (ctx.body = 'served'))

/** A caller with one connection that it keeps. */
function caller({ url }: HttpServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.push(agent)
  return async () => {
    const sent = request(url, { agent })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return { status: response.statusCode, connection: response.headers.connection }
  }
}

test('a caller that keeps its connection is asked to leave, and none of its requests fails', async () => {
  const served = await serve(app(), { host: '127.0.0.1', port: 0, drainMs: 600_000 })
  const ask = caller(served)
  expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' })
  const closed = served.close()
  expect(await ask()).toEqual({ status: 200, connection: 'close' })
  // Everyone has left: the rest of the drain is not waited for.
  await closed
  await expect(ask()).rejects.toThrow('ECONNREFUSED')
})

test('a caller that stays and says nothing is waited for no longer than the drain', async () => {
  const served = await serve(app(), { host: '127.0.0.1', port: 0, drainMs: 300 })
  await caller(served)()
  await served.close()
})

test('a new caller is served during the drain', async () => {
  const served = await serve(app(), { host: '127.0.0.1', port: 0, drainMs: 2_000 })
  const first = caller(served)
  await first()
  const closed = served.close()
  expect((await caller(served)()).status).toBe(200)
  await first()
  await closed
})
