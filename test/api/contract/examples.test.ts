import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { SECRET, ISSUER } from '../pricing-server.ts'
import { contractServer } from './contract-server.ts'

// "The only 200 example is that of /changes": each good answer of the document has one, and the service gives that answer to
// the example of the request. After a change of rates or of an answer, `vitest run -u` writes them anew.
const { ask, document, server } = contractServer()

interface Content {
  example?: object
  schema?: { type?: string }
  examples?: Record<string, { value: unknown }>
}
interface Parameter {
  $ref?: string
  name?: string
  schema?: { example?: unknown }
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content?: Record<string, Content> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

const OPERATIONS = [
  'createQuote',
  'createQuoteBatch',
  'solveTargetDriveAway',
  'listJurisdictions',
  'listConcessions',
  'listRules',
  'listChanges',
  'listReleases',
  'listReleaseKeys',
  'createToken',
  'listKeys',
  'getIssuerMetadata',
]

function operationOf(operationId: string) {
  const { paths } = document() as unknown as Document
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === operationId) return { path, method: method.toUpperCase(), operation }
  }
  throw new Error(`there is no operation ${operationId}`)
}

/** The path with the query that the examples of the parameters make. */
function addressOf(path: string, { parameters = [] }: Operation): string {
  const { components } = document() as unknown as Document
  const query = new URLSearchParams()
  for (const each of parameters) {
    const { name = '', schema } = components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each
    if (schema?.example !== undefined) query.set(name, String(schema.example))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** What differs from one environment and from one call to the next, as the document shows it. */
const SHOWN: [RegExp, string][] = [
  [/sha256:[0-9a-f]{64}/g, 'sha256:2f1b0c6ad0b5d8c0a7f0a5d7a0dd3f6a9f3d6a3a1c4b8f0e2d1c3b5a79680011'],
  [/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g, '"eyJhbGciOiJFZERTQSIsImtpZCI6ImsxIn0.eyJzdWIiOiJkZWFsZXIifQ.c2lnbmF0dXJl"'],
  // A cursor names the release, which is another one after each change of a rate set.
  [
    /"nextCursor": "[\w-]+"/g,
    '"nextCursor": "MTIgc2hhMjU2OjJmMWIwYzZhZDBiNWQ4YzBhN2YwYTVkN2EwZGQzZjZhOWYzZDZhM2ExYzRiOGYwZTJkMWMzYjVhNzk2ODAwMTE"',
  ],
  [/"since": "[\d:TZ.-]+"/g, '"since": "2026-08-01T00:00:00.000Z"'],
  [/"x": "[\w-]{43}"/g, '"x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"'],
  [new RegExp(ISSUER, 'g'), 'https://pricing.example'],
]

const shown = (answer: unknown): string =>
  SHOWN.reduce((text, [found, stands]) => text.replace(found, stands), `${JSON.stringify(answer, null, 2)}\n`)

async function answerTo(operationId: string, name: string): Promise<{ status: number; body: unknown }> {
  const { path, method, operation } = operationOf(operationId)
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  const value = content?.examples?.[name]?.value
  if (type === 'application/x-www-form-urlencoded') {
    const body = new URLSearchParams(value as Record<string, string>)
    const response = await fetch(`${server().url}${path}`, { method, body })
    return { status: response.status, body: await response.json() }
  }
  return ask(method, addressOf(path, operation), value === undefined ? {} : { body: value })
}

const namesOf = (operationId: string): string[] => {
  const [content] = Object.values(operationOf(operationId).operation.requestBody?.content ?? {})
  return content ? Object.keys(content.examples ?? {}) : ['answer']
}

test.each(OPERATIONS)('%s: the example of the answer is what the example of the request gets', async (operationId) => {
  const names = namesOf(operationId)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const file = resolve(`api/pricing/examples/${operationId}.${name}.json`)
    const { status, body } = await answerTo(operationId, name)
    expect(status).toBe(200)
    await expect(shown(body)).toMatchFileSnapshot(file)
  }
})

test('every operation with a JSON answer is among them, and the document that is served has their examples', () => {
  const { paths } = document() as unknown as Document
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  const withJson = all.filter(({ responses }) => responses['200']?.content?.['application/json'])
  expect(withJson.map(({ operationId }) => operationId).sort()).toEqual([...OPERATIONS, 'getSpecification'].sort())
  for (const { operationId, responses } of withJson) {
    if (operationId === 'getSpecification') continue
    const names = Object.keys(responses['200']!.content!['application/json']!.examples ?? {})
    expect(names.sort()).toEqual(namesOf(operationId).sort())
  }
})

test('getSpecification: the example is the beginning of the document that is served', async () => {
  const { example } = operationOf('getSpecification').operation.responses['200']!.content!['application/json']!
  const { status, body } = await ask('GET', '/spec', { as: null })
  expect(status).toBe(200)
  expect(body).toMatchObject(example!)
})

test('the secret of the example is that of a client', () => {
  const { operation } = operationOf('createToken')
  const { secret } = operation.requestBody!.content['application/x-www-form-urlencoded']!.examples!
  expect((secret!.value as Record<string, string>)['client_secret']).toBe(SECRET)
})
