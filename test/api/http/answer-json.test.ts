import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import { expect, test } from 'vitest'
import { answerJson } from '../../../api/http/answer-json.ts'
import { createApp } from '../../../api/http/app.ts'
import { serve } from '../../../api/http/serve.ts'
import { appServices } from '../app-services.ts'

test('an answer is UTF-8 of its own length, whatever its letters', async () => {
  const router = new Router()
  let body = ''
  router.get('/', (ctx) => answerJson(ctx, body))
  const served = await serve(createApp(router, appServices()), { host: '127.0.0.1', port: 0 })
  for (body of ['Vehicle', 'Citroën', 'Vehicle – used', '東京 🚗', 'x'.repeat(40_000), 'ë'.repeat(40_000)]) {
    // Compressed, an answer has another length than its text.
    const response = await fetch(served.url, { headers: { 'accept-encoding': 'identity' } })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
    expect(JSON.parse(bytes.toString())).toBe(body)
  }
  await served.close()
})

test('an answer that an operation writes itself is followed by Node alone', async () => {
  const listeners: number[] = []
  const count = (response: ServerResponse) => listeners.push(response.listenerCount('finish'))
  const bare = createServer((_request, response) => response.end(String(count(response)))).listen(0, '127.0.0.1')
  const router = new Router()
  router.get('/', (ctx) => {
    count(ctx.res)
    answerJson(ctx, '')
  })
  const served = await serve(createApp(router, appServices()), { host: '127.0.0.1', port: 0 })
  await fetch(`http://127.0.0.1:${(bare.address() as AddressInfo).port}`)
  await fetch(served.url, { headers: { 'accept-encoding': 'identity' } })
  expect(listeners[0]).toBe(listeners[1])
  bare.close().closeAllConnections()
  await served.close()
})
