import { fullFormats } from 'ajv-formats/dist/formats.js'
import { OpenAPIBackend, type Document } from 'openapi-backend'

interface Node {
  properties?: Record<string, unknown>
  additionalProperties?: unknown
  [key: string]: unknown
}

/** The document with every object closed: what an answer has and the document does not is then a fault of the document. */
export function closed<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    const node = value as Node | null
    if (typeof node === 'object' && node?.properties && node.additionalProperties === undefined) {
      return { ...node, additionalProperties: false }
    }
    return value
  }) as T
}

/** What was answered, for a judgement by the contract. */
export interface Answered {
  operationId: string
  status: number
  headers: Headers
  body: unknown
}

/** Makes the check of an answer against an OpenAPI document: the faults found, none when it is as described. */
export async function answerChecker(document: object): Promise<(answered: Answered) => string[]> {
  const api = new OpenAPIBackend({
    definition: closed(document) as Document,
    strict: true,
    ajvOpts: { allErrors: true, strict: false },
    customizeAjv: (ajv) => {
      for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)
      return ajv
    },
  })
  await api.init()
  return ({ operationId, status, headers, body }) => {
    const operation = api.getOperation(operationId)
    const response = (operation?.responses as Record<string, Described> | undefined)?.[String(status)]
    if (!operation || !response) return [`${operationId} has no answer ${status}`]
    const faults = response.content ? (api.validateResponse(body, operation, status).errors ?? []) : []
    return [
      ...faults.map((fault) => `${fault.instancePath} ${fault.message} ${JSON.stringify(fault.params)}`),
      ...headerFaults(response, headers),
      ...codeFaults(response, body),
    ]
  }
}

interface Described {
  content?: object
  headers?: Record<string, { required?: boolean }>
  'x-codes'?: string[]
}

const headerFaults = (response: Described, headers: Headers): string[] =>
  Object.entries(response.headers ?? {})
    .filter(([name, { required }]) => required && !headers.has(name))
    .map(([name]) => `the header ${name} is missing`)

function codeFaults({ 'x-codes': codes }: Described, body: unknown): string[] {
  const { code } = (body ?? {}) as { code?: string }
  return codes === undefined || codes.includes(code ?? '') ? [] : [`the code ${code} is not documented`]
}
