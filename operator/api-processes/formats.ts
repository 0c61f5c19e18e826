import { FORMAT_VERSION, type Loaded } from '#rates/published/format.ts'

/** What an API process says that it reads; undefined where it has not answered. */
export type Reader = Pick<Loaded, 'formatVersions'> | undefined

/**
 * The newest format that all API processes read: this program's own, or the one before where any process does not read
 * that. Undefined where nobody knows, because there is no process, or one has not answered.
 */
export function commonFormat(readers: readonly Reader[]): number | undefined {
  if (readers.some((reader) => reader && !reader.formatVersions.includes(FORMAT_VERSION))) return FORMAT_VERSION - 1
  return readers.length === 0 || readers.includes(undefined) ? undefined : FORMAT_VERSION
}

/**
 * The format to write over an index of the `present` one. While nobody knows who reads what, nothing changes: an upgrade
 * begins with processes that do not read the new format, and a rollback brings them back.
 */
export function formatToWrite(present: number | undefined, readers: readonly Reader[]): number {
  return commonFormat(readers) ?? present ?? FORMAT_VERSION
}
