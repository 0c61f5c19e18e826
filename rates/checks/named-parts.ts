type Node = Record<string, unknown>

/**
 * The same JSON Schema with each repeated object schema moved to `$defs`. A schema compiler then generates one function
 * for each of them instead of one function that contains them all.
 */
export function withNamedParts(schema: object): Node {
  const counts = new Map<string, number>()
  countParts(schema, counts)
  const names = new Map<string, string>()
  for (const [part, count] of counts) if (count > 1) names.set(part, `part${names.size}`)
  const named = { ...replaceChildren(schema as Node, names) }
  const definitions = [...names].map(([part, name]) => [name, replaceChildren(JSON.parse(part) as Node, names)])
  return { ...named, $defs: Object.fromEntries(definitions) as Node }
}

function countParts(node: unknown, counts: Map<string, number>): void {
  if (typeof node !== 'object' || node === null) return
  if (isPart(node)) {
    const part = JSON.stringify(node)
    counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  for (const child of Object.values(node)) countParts(child, counts)
}

function replace(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof node !== 'object' || node === null) return node
  const name = isPart(node) ? names.get(JSON.stringify(node)) : undefined
  if (name !== undefined) return { $ref: `#/$defs/${name}` }
  return Array.isArray(node) ? node.map((each) => replace(each, names)) : replaceChildren(node as Node, names)
}

function replaceChildren(node: Node, names: ReadonlyMap<string, string>): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replace(value, names)]))
}

function isPart(node: object): boolean {
  return 'properties' in node && 'type' in node && node.type === 'object'
}
