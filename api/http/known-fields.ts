/** As much of a JSON schema as naming fields takes. */
export interface ObjectSchema {
  properties?: Record<string, ObjectSchema>
  items?: ObjectSchema
  allOf?: ObjectSchema[]
}

/** Which fields of a value the contract names, level by level. */
export interface KnownFields {
  /** Undefined where any field may stand. */
  fields: ReadonlyMap<string, KnownFields> | undefined
  items: KnownFields | undefined
}

// A body of thousands of invented names must not make an answer of thousands of warnings.
const MOST_NAMED = 20
const LONGEST_NAME = 64

/** Compiles a dereferenced schema into the names it knows. */
export function knownFields(schema: ObjectSchema): KnownFields {
  const parts = [schema, ...(schema.allOf ?? [])]
  const fields = parts.flatMap((part) => Object.entries(part.properties ?? {}))
  const items = parts.find((part) => part.items)?.items
  return {
    fields: fields.length > 0 ? new Map(fields.map(([name, part]) => [name, knownFields(part)])) : undefined,
    items: items && knownFields(items),
  }
}

/** JSON pointers from `at` of the fields in a valid value that the contract does not name; at most 20. */
export function unknownFields(value: unknown, known: KnownFields, at: string): string[] {
  const found: string[] = []
  collect(value, known, { at, found })
  return found
}

function collect(value: unknown, known: KnownFields, to: { at: string; found: string[] }): void {
  if (typeof value !== 'object' || value === null || to.found.length >= MOST_NAMED) return
  if (Array.isArray(value)) {
    const { items } = known
    if (items) value.forEach((item, index) => collect(item, items, { at: `${to.at}/${index}`, found: to.found }))
    return
  }
  const { fields } = known
  if (!fields) return
  for (const name of Object.keys(value)) {
    if (to.found.length >= MOST_NAMED) return
    const field = fields.get(name)
    if (field) collect((value as Record<string, unknown>)[name], field, { at: `${to.at}/${name}`, found: to.found })
    else to.found.push(`${to.at}/${escapePointer(name.slice(0, LONGEST_NAME))}`)
  }
}

/** A name as one step of a JSON pointer (RFC 6901, section 3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
