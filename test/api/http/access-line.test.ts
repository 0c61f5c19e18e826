import { expect, test } from 'vitest'
import { createLog } from '../../../runtime/log.ts'
import { bearer, SECRET, startPricingServer, suv } from '../pricing-server.ts'

async function answeredAt(level: string) {
  const lines: string[] = []
  const log = createLog({ name: 'test', level }, { write: (line: string) => void lines.push(line) })
  const server = await startPricingServer(undefined, undefined, { log })
  const token = await server.token()
  await server.post('/v1/quote?note=hidden-query', suv(), { ...bearer(token), 'x-request-id': 'r1' })
  await server.get('/hidden-path')
  await server.close()
  for (const secret of ['hidden', SECRET, token]) expect(lines.join('\n')).not.toContain(secret)
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return parsed.filter(({ event }) => event === 'answered')
}

test('each answer is one line at the level debug, with who, what and how long, and nothing that the caller made up', async () => {
  const [token, quote, nothing, ...more] = await answeredAt('debug')
  expect(more).toEqual([])
  expect(token).toMatchObject({ level: 'debug', operation: 'createToken', method: 'POST', status: 200 })
  expect(quote).toMatchObject({ operation: 'createQuote', client: 'dealer', requestId: 'r1' })
  expect(quote?.['ms']).toBeGreaterThan(0)
  expect(nothing).toMatchObject({ method: 'GET', status: 404 })
})

test('at the level info there is none', async () => {
  expect(await answeredAt('info')).toEqual([])
})
