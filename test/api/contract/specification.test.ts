import { expect, test } from 'vitest'
import { PROBLEM_ANSWERS } from './problem-answers.ts'
import { contractServer } from './contract-server.ts'
import { suv } from './requests.ts'

// "GET /spec" of the interface, and the document that it serves.
const { ask, document, server } = contractServer()

interface Operation {
  operationId: string
  summary?: string
  security?: unknown[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> }
  parameters?: {
    $ref?: string
    in?: string
    name?: string
    required?: boolean
    schema?: { example?: string | number }
  }[]
  responses: Record<string, { description?: string; $ref?: string; 'x-codes'?: string[] }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: {
    parameters: Record<string, NonNullable<Operation['parameters']>[number]>
    responses: Record<string, { content?: { 'application/json': { examples?: Record<string, { value: unknown }> } } }>
    schemas: Record<string, unknown>
  }
}
const spec = () => document() as unknown as Document
const operations = () =>
  Object.entries(spec().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

test('No authentication. Returns the OpenAPI 3 specification; every environment serves its own', async () => {
  const { status, body } = await ask<Document>('GET', '/spec', { as: null })
  expect([status, body.openapi]).toEqual([200, '3.0.3'])
  expect((await ask('GET', '/spec', { headers: { authorization: 'Bearer nonsense' }, as: null })).status).toBe(200)
})

test('The live specification (OpenAPI 3.0) is served at GET /spec in each environment', async () => {
  expect(Object.keys(spec().paths)).toEqual(
    expect.arrayContaining(['/v1/quote', '/v1/quote/batch', '/v1/concessions', '/v1/rules', '/spec', '/oauth/token']),
  )
})

test('the document describes all that is routed: each path answers, and none but these', async () => {
  for (const { path, method, operation } of operations()) {
    const { status } = await fetch(`${server().url}${path}`, { method })
    expect([path, status === 404 || status === 405, operation.operationId !== '']).toEqual([path, false, true])
  }
  for (const path of ['/v1', '/v1/quotes', '/v2/quote', '/metrics', '/livez', '/loaded']) {
    expect([path, (await server().get(path)).status]).toEqual([path, 404])
  }
})

test('every operation has an id of its own, a summary, and a description of each answer', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { operation } of operations()) {
    expect(operation.summary).toMatch(/^[A-Z]/)
    for (const response of Object.values(operation.responses))
      expect(response.$ref ?? response.description).toMatch(/^(#\/components\/responses\/|[A-Z])/)
  }
})

test('every operation with a body has an example, and each of them is answered with 200', async () => {
  for (const { path, method, operation } of operations()) {
    for (const [type, { examples }] of Object.entries(operation.requestBody?.content ?? {})) {
      if (type !== 'application/json') continue
      expect(Object.keys(examples ?? {}).length).toBeGreaterThan(0)
      for (const [name, { value }] of Object.entries(examples!)) {
        const { status, body } = await ask(method, path, { body: value })
        expect({ name, status, code: body.code }).toEqual({ name, status: 200, code: undefined })
      }
    }
  }
})

test('the examples of the parameters make a query that is answered with 200', async () => {
  for (const { path, method, operation } of operations()) {
    if (!operation.parameters) continue
    const parameters = operation.parameters.map(
      (each) => spec().components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each,
    )
    const query = new URLSearchParams(
      parameters.flatMap(({ name = '', schema }): [string, string][] =>
        schema?.example === undefined ? [] : [[name, String(schema.example)]],
      ),
    )
    const release = server().holder.read().rates!.snapshot.release
    expect((await ask(method, `${path.replace('{release}', release)}?${query}`)).status).toBe(200)
  }
})

test('every example of an error is the answer that the service gives', async () => {
  const shown = Object.entries(spec().components.responses).flatMap(([response, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).map(([name, { value }]) => ({
      at: `${response}.${name}`,
      value,
    })),
  )
  expect(shown.map(({ at }) => at).sort()).toEqual(expect.arrayContaining(Object.keys(PROBLEM_ANSWERS).sort()))
  for (const [at, asking] of Object.entries(PROBLEM_ANSWERS)) {
    const { rates } = server().holder.read()
    if (asking.unready) server().holder.swap({ rates: undefined })
    const { body } = await ask('POST', '/v1/quote', { body: suv(), ...asking })
    if (asking.unready) server().holder.swap({ rates })
    expect({ at, value: body }).toEqual(shown.find((each) => each.at === at))
  }
})

test('every schema of the document is used', () => {
  const text = JSON.stringify(spec())
  const unused = Object.keys(spec().components.schemas).filter(
    (name) => !text.includes(`#/components/schemas/${name}"`),
  )
  expect(unused).toEqual([])
})

test('the operations but the open ones ask for a token', () => {
  const open = operations().filter(({ operation }) => operation.security !== undefined)
  expect(open.map(({ path }) => path)).toEqual([
    '/.well-known/release-keys',
    '/spec',
    '/oauth/token',
    '/oauth/jwks',
    '/.well-known/oauth-authorization-server',
  ])
})
