import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, startPricingServer, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer()
})
afterAll(() => server.close())

type Document = { paths: Record<string, Record<string, { operationId?: string; security?: object[] }>> }

/** Every operation of the contract that asks for a token, those of tomorrow too: the others set `security` themselves. */
async function guarded(): Promise<{ method: string; path: string }[]> {
  const { paths } = (await (await server.get('/spec')).json()) as Document
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId, security }]) => operationId && security === undefined)
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  )
}

const answerOf = async ({ method, path }: { method: string; path: string }, headers: Record<string, string>) => {
  const response = await fetch(`${server.url}${path}`, { method, headers })
  return { path, status: response.status, code: ((await response.json()) as { code: string }).code }
}

test('a suspended client’s token gets 403 USER_INACTIVE at every endpoint, before anything else is looked at', async () => {
  const operations = await guarded()
  expect(operations.length).toBeGreaterThanOrEqual(4)
  const token = await server.token('suspended')
  const answers = await Promise.all(operations.map((operation) => answerOf(operation, bearer(token))))
  expect(answers).toEqual(operations.map(({ path }) => ({ path, status: 403, code: 'USER_INACTIVE' })))
})

test('without a token every endpoint answers 401, and without the grant 403 INSUFFICIENT_SCOPE', async () => {
  const operations = await guarded()
  const uploader = bearer(await server.token('uploader'))
  for (const operation of operations) {
    expect(await answerOf(operation, {})).toMatchObject({ status: 401, code: 'not-authenticated' })
    expect(await answerOf(operation, uploader)).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' })
  }
})
