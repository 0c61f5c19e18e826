import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Fault } from './fault.ts'
import { joinPath } from '../files/path.ts'
import { expectedText } from './expected-words.ts'
import { nearest } from './nearest.ts'
import { withNamedParts } from './named-parts.ts'

const validators = new WeakMap<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  // As one function the grammar is 1.8 MB of code, and V8 briefly takes 200 MiB to optimise it.
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, inlineRefs: false })
  formats.default(ajv, ['date'])
  const compiled = ajv.compile(withNamedParts(closeSchema(schema)))
  validators.set(schema, compiled)
  return compiled
}

/** A copy of a schema in which every object, at every depth, refuses unknown keys. */
function closeSchema(schema: object): Record<string, unknown> {
  return close(JSON.parse(JSON.stringify(schema))) as Record<string, unknown>
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => [key, key === 'enum' ? value : close(value)])
  const closed = Object.fromEntries(entries) as Record<string, unknown>
  const open = 'properties' in closed && closed.type === 'object' && !('additionalProperties' in closed)
  return open ? { ...closed, additionalProperties: false } : closed
}

/** The faults of a value against a schema, in plain words, with the value found and what was expected. */
export function schemaFaults(schema: object, value: unknown): Fault[] {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  // A text that breaks its pattern often breaks its format or length too; one fault for each place is enough.
  const byPath = new Map<string, Fault>()
  for (const error of validate.errors ?? []) {
    const fault = describe(error, pathOf(error.instancePath, value))
    if (!byPath.has(fault.path)) byPath.set(fault.path, fault)
  }
  return [...byPath.values()]
}

/** Converts `/rules/0/name` to `rules[0].name`; a number is a position only within a list. */
function pathOf(pointer: string, root: unknown): string {
  let path = ''
  let here = root
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    path = joinPath(path, Array.isArray(here) ? Number(key) : key)
    here = (here as Record<string, unknown> | undefined)?.[key]
  }
  return path
}

interface Params {
  allowedValues?: string[]
  additionalProperty?: string
  missingProperty?: string
  type?: string
  limit?: number
}
type Teller = (params: Params, error: ErrorObject) => string

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const tellers: Record<string, Teller> = {
  enum: ({ allowedValues }, { data }) =>
    `${show(data)} is not one of ${allowedValues!.join(', ')}${hint(data, allowedValues!)}`,
  pattern: (_, { data, parentSchema }) => `${show(data)} is not ${expectedText(parentSchema)}`,
  format: (_, { data }) => `${show(data)} is not a day of the calendar, YYYY-MM-DD`,
  minLength: () => 'the text is empty',
  maxLength: ({ limit }, { data }) => `the text has ${String(data).length} characters; expected at most ${limit}`,
  minItems: ({ limit }) => `expected at least ${plural(limit!, 'entry', 'entries')}`,
  maxItems: ({ limit }, { data }) => `${(data as unknown[]).length} entries; expected at most ${limit}`,
  minProperties: ({ limit }) => `expected at least ${plural(limit!, 'key')}`,
  maxProperties: ({ limit }) => `expected at most ${plural(limit!, 'key')}`,
  minimum: ({ limit }, { data }) => `${show(data)} is below ${limit}`,
  maximum: ({ limit }, { data }) => `${show(data)} is above ${limit}`,
}

function describe(error: ErrorObject, path: string): Fault {
  const params: Params = error.params
  if (error.keyword === 'additionalProperties') return unknownKey(error, path, params.additionalProperty!)
  if (error.keyword === 'required')
    return { check: 'missing-key', path: joinPath(path, params.missingProperty!), message: 'the key is missing' }
  if (error.keyword === 'type') return wrongType(error, path, params.type!)
  const tell = tellers[error.keyword]
  return {
    check: 'value',
    path,
    message: tell ? tell(params, error) : `${show(error.data)} ${error.message ?? 'is not valid'}`,
  }
}

function unknownKey(error: ErrorObject, path: string, key: string): Fault {
  const known = Object.keys((error.parentSchema as { properties: object }).properties)
  return {
    check: 'unknown-key',
    path: joinPath(path, key),
    message: `unknown key; expected ${known.join(', ')}${hint(key, known)}`,
  }
}

function wrongType(error: ErrorObject, path: string, type: string): Fault {
  const { data } = error
  if (type === 'string' && ['number', 'boolean'].includes(typeof data))
    return { check: 'quoted', path, message: `${show(data)} is not quoted; quote it: "${String(data)}"` }
  const words: Record<string, string> = {
    object: 'a map',
    array: 'a list',
    string: 'a text',
    integer: 'a whole number',
  }
  return { check: 'value', path, message: `expected ${words[type] ?? `a ${type}`}, found ${show(data)}` }
}

function hint(value: unknown, known: readonly string[]): string {
  const likely = nearest(String(value), known)
  return likely === undefined ? '' : ` (did you mean ${likely}?)`
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
