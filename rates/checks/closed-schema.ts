/** A plain copy of a schema in which every object refuses keys that it does not name, at every depth. */
export function closeSchema(schema: object): Record<string, unknown> {
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
