import type { TSchema } from 'typebox'
import { attachRules, type PlacedRule } from './attach.ts'
import { describeFields } from './descriptions.ts'
import { structural } from './structural.ts'

export const GROUP = 'rates.driveaway.dev'
export const VERSION = 'v1alpha1'
export const API_VERSION = `${GROUP}/${VERSION}`

/** A column of `kubectl get`; `-o wide` shows columns of priority 1. */
export interface PrintColumn {
  name: string
  type: 'string' | 'boolean' | 'date'
  jsonPath: string
  priority?: number
}

/** One kind, with everything from which its manifest and its reference page are generated. */
export interface Kind {
  kind: string
  plural: string
  shortNames: string[]
  description: string
  spec: TSchema
  status: TSchema
  rules: readonly PlacedRule[]
  columns: PrintColumn[]
  /** The output of `kubectl get` for the example in examples/, by column, once the object is published. */
  shown: readonly string[]
}

/** The CustomResourceDefinition of a kind. */
export function definitionOf(kind: Kind) {
  const { plural, shortNames, columns } = kind
  const version = {
    name: VERSION,
    served: true,
    storage: true,
    additionalPrinterColumns: columns,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schemaOf(kind) },
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular: kind.kind.toLowerCase(),
        shortNames,
        categories: ['driveaway'],
      },
      versions: [version],
    },
  }
}

function schemaOf({ description, spec, status, rules }: Kind) {
  const text = { type: 'string' }
  const schema = {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: text,
      kind: text,
      metadata: { type: 'object' },
      spec: describeFields(structural(spec, '.spec')),
      status: conditionsByType(structural(status, '.status')),
    },
  }
  return attachRules(schema, rules)
}

/** Declares conditions as a map by type, as tools expect, so that conditions may have different owners. */
function conditionsByType(status: ReturnType<typeof structural>) {
  const { conditions } = status.properties ?? {}
  if (conditions) {
    conditions['x-kubernetes-list-type'] = 'map'
    conditions['x-kubernetes-list-map-keys'] = ['type']
  }
  return status
}
