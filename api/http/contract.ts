import { readFileSync } from 'node:fs'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { parse } from 'yaml'
import { knownFields, type KnownFields, type ObjectSchema } from './known-fields.ts'

/** What of a request the contract's validators look at. */
export interface RequestParts {
  header: object
  query?: Readonly<Record<string, unknown>>
  requestBody?: unknown
}

/** One operation of the contract, ready to be routed and checked. */
export interface ContractOperation {
  operationId: string
  method: string
  /** As the contract writes it, with `{name}` for a parameter. */
  path: string
  /** Media types that the body may have; empty where there is no body. */
  mediaTypes: readonly string[]
  queryNames: readonly string[]
  /** All faults of the request against its schemas; empty when it is valid. */
  faultsOf(parts: RequestParts): ErrorObject[]
  /** Fields of the body that the contract names; undefined where there is no body. */
  known: KnownFields | undefined
}

export interface Contract {
  document: object
  operations: readonly ContractOperation[]
}

/** Reads an OpenAPI 3.0 file and compiles its validators once; throws when the document itself is not valid. */
export async function readContract(file: URL): Promise<Contract> {
  const text = readFileSync(file, 'utf8')
  const api = new OpenAPIBackend({
    definition: parse(text) as Document,
    strict: true,
    ajvOpts: { allErrors: true, strict: false },
    // openapi-backend ignores `format: date` unless told what one is.
    customizeAjv: (ajv) => {
      for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)
      return ajv
    },
  })
  await api.init()
  const operations = api.getOperations().map((operation): ContractOperation => {
    const operationId = operation.operationId ?? ''
    const content = bodyContent(operation.requestBody)
    // Calling these directly is twice as fast as validateRequest, which matches and parses the request again.
    const validators = (api.validator.getRequestValidatorsForOperation(operationId) ?? []) as ValidateFunction[]
    const schema = content['application/json']?.schema
    return {
      operationId,
      method: operation.method.toLowerCase(),
      path: operation.path,
      mediaTypes: Object.keys(content),
      queryNames: queryNames(operation.parameters),
      faultsOf: (parts) => faults(validators, parts),
      known: schema && knownFields(schema),
    }
  })
  return { document: parse(text) as object, operations }
}

function faults(validators: readonly ValidateFunction[], parts: RequestParts): ErrorObject[] {
  const found: ErrorObject[] = []
  for (const validate of validators) if (!validate(parts)) found.push(...(validate.errors ?? []))
  return found
}

function bodyContent(requestBody: unknown): Record<string, { schema?: ObjectSchema }> {
  return (requestBody as { content?: Record<string, { schema?: ObjectSchema }> } | undefined)?.content ?? {}
}

function queryNames(parameters: unknown): string[] {
  const all = (parameters ?? []) as { in: string; name: string }[]
  return all.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name)
}
