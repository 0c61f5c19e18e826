import { API_VERSION, definitionOf, type Kind } from './kind.ts'
import type { StructuralSchema } from './structural.ts'

type JsonSchema = Record<string, unknown>

/**
 * The JSON Schema of a kind, with which an editor completes and checks a file. It has the fields of the definition and
 * refuses all others: the API server only drops unknown fields, but an editor should mark them.
 */
export function editorSchema(kind: Kind): JsonSchema {
  const { properties = {}, ...whole } = definitionOf(kind).spec.versions[0]!.schema.openAPIV3Schema as StructuralSchema
  const { spec } = properties
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: kind.kind,
    description: whole.description,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      apiVersion: { type: 'string', enum: [API_VERSION] },
      kind: { type: 'string', enum: [kind.kind] },
      metadata: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      spec: spec && closed(spec),
    },
    additionalProperties: false,
  }
}

/** A structural schema without the keywords of Kubernetes, in which every object refuses unknown fields. */
function closed(schema: StructuralSchema): JsonSchema {
  const { properties, items, additionalProperties, ...rest } = schema
  const plain = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-kubernetes-')))
  const ofFields = properties && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, closed(inner)])),
    additionalProperties: false,
  }
  return {
    ...plain,
    ...ofFields,
    ...(items && { items: closed(items) }),
    ...(additionalProperties && { additionalProperties: closed(additionalProperties) }),
  }
}
