import type { TSchema } from 'typebox'

/** A structural schema of apiextensions.k8s.io/v1: the part of OpenAPI v3 that a CustomResourceDefinition may use. */
export interface StructuralSchema {
  type: string
  description?: string
  properties?: Record<string, StructuralSchema>
  required?: string[]
  items?: StructuralSchema
  additionalProperties?: StructuralSchema
  enum?: unknown[]
  'x-kubernetes-list-type'?: 'atomic' | 'map'
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-validations'?: Validation[]
  [keyword: string]: unknown
}

/** One CEL rule as a CustomResourceDefinition carries it. */
export interface Validation {
  rule: string
  message: string
}

// Keywords that are copied unchanged. All others are translated below or omitted: `$id`, and `additionalProperties:
// false`, which pruning makes unnecessary and which the server refuses beside `properties`.
const KEPT = [
  ...['description', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'enum', 'minItems'],
  ...['maxItems', 'minProperties', 'maxProperties'],
]

/**
 * Translates a TypeBox schema. Lists become atomic, so that an apply from Git replaces a whole list. Throws for a
 * string, list or map without an upper bound, because CEL costs are estimated from bounds, and for anything that
 * Kubernetes cannot express.
 */
export function structural(schema: TSchema, path = ''): StructuralSchema {
  const source = schema as Record<string, unknown>
  const { type } = source
  if (source['const'] !== undefined) return { type: typeof source['const'], enum: [source['const']] }
  if (typeof type !== 'string') throw new Error(`${path || '.'}: a structural schema needs one type`)
  const kept = Object.fromEntries(KEPT.filter((key) => source[key] !== undefined).map((key) => [key, source[key]]))
  const result = { type, ...kept }
  demandBound(result, source, path)
  if (type === 'array') return { ...result, ...listOf(source['items'] as TSchema, path) }
  return type === 'object' ? { ...result, ...fieldsOf(source, path) } : result
}

function listOf(items: TSchema, path: string) {
  return { items: structural(items, `${path}[]`), 'x-kubernetes-list-type': 'atomic' as const }
}

function fieldsOf(source: Record<string, unknown>, path: string): Partial<StructuralSchema> {
  const { properties, patternProperties, required } = source as Record<string, Record<string, TSchema> | undefined>
  // A Record: arbitrary keys, and values of one shape.
  const [value] = Object.values(patternProperties ?? {})
  if (value) return { additionalProperties: structural(value, `${path}{}`) }
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, structural(field, `${path}.${name}`)])
  return { properties: Object.fromEntries(fields), ...(required && { required: required as unknown as string[] }) }
}

const BOUND: Record<string, string> = { string: 'maxLength', array: 'maxItems' }

function demandBound(result: StructuralSchema, source: Record<string, unknown>, path: string): void {
  const bound = source['patternProperties'] ? 'maxProperties' : BOUND[result.type]
  if (!bound || result[bound] !== undefined || result.enum) return
  throw new Error(`${path}: ${bound} is missing, without which the server cannot bound the cost of CEL rules`)
}
