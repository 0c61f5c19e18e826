import { FORMAT_VERSION, type Loaded } from '#rates/published/format.ts'

/** The formats that an API process reads; undefined when it has not answered. */
export type Reader = Pick<Loaded, 'formatVersions'> | undefined

/**
 * The newest format that all API processes read: this program's own, or the previous one when a process does not read
 * that. Undefined when nobody knows, because there is no process or one has not answered.
 */
export function commonFormat(readers: readonly Reader[]): number | undefined {
  if (readers.some((reader) => reader && !reader.formatVersions.includes(FORMAT_VERSION))) return FORMAT_VERSION - 1
  return readers.length === 0 || readers.includes(undefined) ? undefined : FORMAT_VERSION
}

/**
 * The format in which to replace an index of the `present` format. While it is unknown which formats the processes
 * read, the format does not change: an upgrade starts with processes that cannot read the new format, and a rollback
 * brings such processes back.
 */
export function formatToWrite(present: number | undefined, readers: readonly Reader[]): number {
  return commonFormat(readers) ?? present ?? FORMAT_VERSION
}
