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
