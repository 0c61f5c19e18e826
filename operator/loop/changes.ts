import { isDeepStrictEqual } from 'node:util'

/** Most names in a log line: a folder of rate sets is listed, a migration of 10,000 clients is only counted. */
const NAMED = 30

/** Names of the entries that are changed, new or removed; undefined when the previous state is unknown. */
export function changedEntries(
  before: ReadonlyMap<string, unknown> | undefined,
  now: ReadonlyMap<string, unknown> | undefined,
): string[] | undefined {
  if (!before || !now) return undefined
  const names = new Set([...before.keys(), ...now.keys()])
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), now.get(name))).sort()
}

/** Names of the records that are new or changed. */
export function changedRecords(before: ReadonlyMap<string, object>, now: ReadonlyMap<string, object>): string[] {
  return [...now].flatMap(([name, record]) => (isDeepStrictEqual(before.get(name), record) ? [] : [name]))
}

/** The log fields that name what changed. */
export function namesOf(changed: readonly string[] | undefined): { changed?: string[]; more?: number } {
  if (!changed) return {}
  const more = changed.length - NAMED
  return { changed: changed.slice(0, NAMED), ...(more > 0 && { more }) }
}
