/** As deep as the contract names fields: a batch, its items, an item, its assets, an asset. */
const DEEPEST = 8

/** A body as it is checked: a field that is null or an empty text is left out. Deeper than the contract it is the same. */
export function withoutAbsent(value: unknown, levels = DEEPEST): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((each) => withoutAbsent(each, levels - 1))
  const present = Object.entries(value).filter(([, each]) => each !== null && each !== '')
  return Object.fromEntries(present.map(([name, each]) => [name, withoutAbsent(each, levels - 1)]))
}
