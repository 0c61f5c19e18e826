import { isDeepStrictEqual } from 'node:util'

/** Names in a log line: a folder of rate sets is named in full, a migration of 10,000 clients is counted. */
const NAMED = 30

/** Names of what is another thing than before, is new, or is gone; undefined where nothing is known of before. */
export function changedEntries(
  before: ReadonlyMap<string, unknown> | undefined,
  now: ReadonlyMap<string, unknown> | undefined,
): string[] | undefined {
  if (!before || !now) return undefined
  const names = new Set([...before.keys(), ...now.keys()])
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), now.get(name))).sort()
}

/** Names of the records that are new or differ from those before. */
export function changedRecords(before: ReadonlyMap<string, object>, now: ReadonlyMap<string, object>): string[] {
  return [...now].flatMap(([name, record]) => (isDeepStrictEqual(before.get(name), record) ? [] : [name]))
}

/** The fields of a log line that name what changed. */
export function namesOf(changed: readonly string[] | undefined): { changed?: string[]; more?: number } {
  if (!changed) return {}
  const more = changed.length - NAMED
  return { changed: changed.slice(0, NAMED), ...(more > 0 && { more }) }
}
