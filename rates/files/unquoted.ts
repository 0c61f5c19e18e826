import type { StrictDocument } from './document.ts'
import type { LocatedFault } from './located.ts'
import { splitPath, type PathSegment } from './path.ts'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema
  items?: Schema
}

/**
 * Unquoted numbers, booleans and dates where the schema has text, with their source text: parsing turns `8.40` into 8.4
 * and loses the zero.
 */
export function findUnquoted(document: StrictDocument, schema: object): LocatedFault[] {
  return document.bare
    .filter(({ path }) => expectsText(schema, splitPath(path)))
    .map(({ path, source }) => ({
      check: 'quoted',
      path,
      message: `${source} is not quoted; quote it: "${source}"`,
      file: document.file,
      ...document.locate(path),
    }))
}

function expectsText(schema: Schema, path: PathSegment[]): boolean {
  let here: Schema | undefined = schema
  for (const segment of path) here = here && step(here, segment)
  return here?.type === 'string'
}

function step(schema: Schema, segment: PathSegment): Schema | undefined {
  if (typeof segment === 'number') return schema.items
  const named = schema.properties && Object.hasOwn(schema.properties, segment) ? schema.properties[segment] : undefined
  return named ?? Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
}
