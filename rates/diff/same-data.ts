/**
 * Whether two JSON values are equal, whatever the order of their keys; a key whose value is undefined counts as a key.
 */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSameData(a[key], b[key]))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
