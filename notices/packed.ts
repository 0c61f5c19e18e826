import { gunzipSync, gzipSync } from 'node:zlib'

/** Bytes that one message may unpack to. */
const LARGEST_UNPACKED = 64 * 1024 * 1024

/** A value as it is stored: JSON, compressed. */
export const pack = (value: unknown): Uint8Array => gzipSync(JSON.stringify(value))

/** What `pack` was given; throws when it is something else. */
export function unpack<T>(bytes: Uint8Array): T {
  return JSON.parse(gunzipSync(bytes, { maxOutputLength: LARGEST_UNPACKED }).toString('utf8')) as T
}
