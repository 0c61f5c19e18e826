/** A node of the grammar: as much of JSON Schema as its types are made of. */
export interface Node {
  type: string
  enum?: readonly string[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Node
  properties?: Readonly<Record<string, Node>>
  required?: readonly string[]
  /** Of a record: the type of its values, by the pattern of its keys. */
  patternProperties?: Readonly<Record<string, Node>>
}

/** The type of the values of a record; undefined of every other node. */
export const recordOf = ({ patternProperties }: Node): Node | undefined => Object.values(patternProperties ?? {})[0]

/** Every field of a grammar, `rules[].cases[].charge.flat`, in its order. */
export function fieldsOf(node: Node, field = ''): string[] {
  const inner = node.items ?? recordOf(node)
  if (inner) return fieldsOf(inner, `${field}[]`)
  return Object.entries(node.properties ?? {}).flatMap(([name, each]) => {
    const own = field === '' ? name : `${field}.${name}`
    return [own, ...fieldsOf(each, own)]
  })
}
