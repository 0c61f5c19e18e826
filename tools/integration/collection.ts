/** The parts of an OpenAPI document that a collection uses. */
export interface ApiDocument {
  info: { title: string; description?: string }
  paths: Record<string, Record<string, ApiOperation>>
  components?: { parameters?: Record<string, ApiParameter> }
}

interface ApiOperation {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  security?: unknown[]
  parameters?: (ApiParameter | { $ref: string })[]
  requestBody?: { content: Record<string, { examples?: Record<string, { summary?: string; value: unknown }> }> }
}

interface ApiParameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: { example?: unknown }
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

const variable = (key: string, value = '') => ({ key, value, type: 'string' })

/** A Postman collection (format 2.1) of the operations of a document: one request per example body. */
export function collectionOf(document: ApiDocument): object {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => requestsOf(document, { path, method, operation })),
  )
  const folders = [...new Set(requests.map(({ tag }) => tag))]
  const { title, description = '' } = document.info
  return {
    info: { name: title, description, schema: SCHEMA },
    // Programs that read this format request the token themselves, so no script in a further language is needed.
    auth: tokenAuth(),
    variable: [variable('baseUrl'), variable('tokenUrl'), variable('clientId'), variable('clientSecret')],
    item: folders.map((name) => ({
      name,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  }
}

function tokenAuth(): object {
  const settings = { grant_type: 'client_credentials', accessTokenUrl: '{{tokenUrl}}', clientId: '{{clientId}}' }
  const all = { ...settings, clientSecret: '{{clientSecret}}', client_authentication: 'header', addTokenTo: 'header' }
  return { type: 'oauth2', oauth2: Object.entries(all).map(([key, value]) => variable(key, value)) }
}

interface Placed {
  path: string
  method: string
  operation: ApiOperation
}

function requestsOf(document: ApiDocument, { path, method, operation }: Placed) {
  const { summary = operation.operationId, description = '', tags = ['Other'], security } = operation
  const isForm = operation.requestBody?.content['application/x-www-form-urlencoded'] !== undefined
  const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  const bodies = examples.length > 0 ? examples : [undefined]
  return bodies.map((example) => ({
    tag: tags[0]!,
    item: {
      name: example?.summary === undefined ? summary : `${summary}: ${example.summary}`,
      request: {
        method: method.toUpperCase(),
        description,
        ...(security !== undefined && { auth: isForm ? basicAuth() : { type: 'noauth' } }),
        header: example === undefined ? [] : [variable('Content-Type', 'application/json')],
        url: urlOf(path, parametersOf(document, operation)),
        ...(example !== undefined && { body: { mode: 'raw', raw: JSON.stringify(example.value, null, 2) } }),
        ...(isForm && { body: { mode: 'urlencoded', urlencoded: [variable('grant_type', 'client_credentials')] } }),
      },
    },
  }))
}

const basicAuth = () => ({
  type: 'basic',
  basic: [variable('username', '{{clientId}}'), variable('password', '{{clientSecret}}')],
})

function parametersOf(document: ApiDocument, { parameters = [] }: ApiOperation): ApiParameter[] {
  return parameters.map((each) =>
    '$ref' in each ? document.components!.parameters![each.$ref.split('/').at(-1)!]! : each,
  )
}

function urlOf(path: string, parameters: readonly ApiParameter[]): object {
  const named = path.replace(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((each) => each.in === 'query')
  const isOff = ({ required = false, schema }: ApiParameter) => !required && schema?.example === undefined
  const sent = query.filter((each) => !isOff(each))
  const text = sent.map(({ name, schema }) => `${name}=${encodeURIComponent(String(schema?.example ?? ''))}`).join('&')
  return {
    raw: `{{baseUrl}}${named}${text && `?${text}`}`,
    host: ['{{baseUrl}}'],
    path: named.split('/').filter(Boolean),
    query: query.map((each) => ({
      key: each.name,
      value: String(each.schema?.example ?? ''),
      description: each.description ?? '',
      disabled: isOff(each),
    })),
    variable: parameters
      .filter((each) => each.in === 'path')
      .map(({ name, description = '' }) => ({ ...variable(name), description })),
  }
}
