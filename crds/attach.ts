import type { StructuralSchema } from './structural.ts'

/** A CEL rule and its place in the schema: `.` for the object, `[]` for the entries of a list. */
export interface PlacedRule {
  /** Path of the place, such as `.spec.rules[].cases[]`. */
  path: string
  rule: string
  /** What was expected, in words for the author of an object. */
  message: string
}

/** The schema with each rule at its place; throws for a path that does not exist. */
export function attachRules(schema: StructuralSchema, rules: readonly PlacedRule[]): StructuralSchema {
  const copy = structuredClone(schema)
  for (const { path, rule, message } of rules) {
    const target = steps(path).reduce((at, step) => descend(at, step, path), copy)
    const validations = (target['x-kubernetes-validations'] ??= [])
    validations.push({ rule, message })
  }
  return copy
}

function steps(path: string): string[] {
  return path.match(/\[\]|[A-Za-z0-9]+/g) ?? []
}

function descend(schema: StructuralSchema, step: string, path: string): StructuralSchema {
  const next = step === '[]' ? schema.items : schema.properties?.[step]
  if (!next) throw new Error(`${path}: the schema has no ${step} there`)
  return next
}
