import { readFileSync } from 'node:fs'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { parse } from 'yaml'
import { isDate } from '#rates/engine/dates.ts'
import { addExamples } from './examples.ts'
import { retirementOf, type Retirement } from './retirement.ts'

/** The parts of a request that the contract's validators check. */
export interface RequestParts {
  header: object
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  requestBody?: unknown
}

/** One operation of the contract, ready for routing and validation. */
export interface ContractOperation {
  operationId: string
  method: string
  /** As the contract writes it, with `{name}` for a parameter. */
  path: string
  /** Media types allowed for the body; empty when there is no body. */
  mediaTypes: readonly string[]
  queryNames: readonly string[]
  /** Undefined unless the operation is deprecated. */
  retirement: Retirement | undefined
  /** All faults of the request against its schemas; empty when it is valid. */
  faultsOf(parts: RequestParts): ErrorObject[]
}

export interface Contract {
  document: object
  operations: readonly ContractOperation[]
}

export interface ContractOptions {
  /** Whether a validator stops at the first fault; for bodies that can have very many. */
  firstFaultOnly?: boolean
  /**
   * Required fields whose absence the schema check ignores, because the operation refuses it with a code of its own.
   */
  missedLater?: readonly string[]
}

/** Reads an OpenAPI 3.0 file and compiles its validators once; throws when the document itself is invalid. */
export async function readContract(
  file: URL,
  { firstFaultOnly = false, missedLater = [] }: ContractOptions = {},
): Promise<Contract> {
  const text = readFileSync(file, 'utf8')
  const api = new OpenAPIBackend({
    definition: parse(text) as Document,
    strict: true,
    ajvOpts: { allErrors: !firstFaultOnly, strict: false },
    // openapi-backend ignores `format: date` unless the format is defined.
    customizeAjv: (ajv) => {
      for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)
      // The same dates as the library's, in half the time; a quote has up to five.
      ajv.addFormat('date', isDate)
      return ajv
    },
  })
  await api.init()
  const operations = api.getOperations().map((operation): ContractOperation => {
    const operationId = operation.operationId ?? ''
    // Calling these directly is twice as fast as validateRequest, which matches and parses the request again.
    const validators = (api.validator.getRequestValidatorsForOperation(operationId) ?? []) as ValidateFunction[]
    return {
      operationId,
      method: operation.method.toLowerCase(),
      path: operation.path,
      mediaTypes: mediaTypes(operation.requestBody),
      queryNames: queryNames(operation.parameters),
      retirement: retirementOf(operation),
      faultsOf: (parts) => faultsBy(validators, parts, missedLater),
    }
  })
  const document = parse(text) as object
  addExamples(document, new URL('examples/', file))
  return { document, operations }
}

const NONE: ErrorObject[] = []

/** The faults that the validators find, but for missing fields that are refused later. */
function faultsBy(
  validators: readonly ValidateFunction[],
  parts: RequestParts,
  missedLater: readonly string[],
): ErrorObject[] {
  let found = NONE
  for (const validate of validators) if (!validate(parts)) found = [...found, ...(validate.errors ?? [])]
  return found === NONE ? NONE : found.filter((fault) => !isMissing(fault, missedLater))
}

function isMissing({ keyword, params }: ErrorObject, fields: readonly string[]): boolean {
  return keyword === 'required' && fields.includes((params as { missingProperty: string }).missingProperty)
}

function mediaTypes(requestBody: unknown): string[] {
  return Object.keys((requestBody as { content?: object } | undefined)?.content ?? {})
}

function queryNames(parameters: unknown): string[] {
  const all = (parameters ?? []) as { in: string; name: string }[]
  return all.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name)
}
