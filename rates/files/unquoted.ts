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
 * Numbers, booleans and dates that stand bare where the schema has text, as they are written: by the time a value is
 * parsed, `8.40` has become 8.4 and its zero is lost.
 */
export function findUnquoted(document: StrictDocument, schema: object): LocatedFault[] {
  return document
    .scalars()
    .filter(({ path, value }) => typeof value !== 'string' && value !== null && expectsText(schema, splitPath(path)))
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
