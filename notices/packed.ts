import { gunzipSync, gzipSync } from 'node:zlib'

/** Most bytes of one unpacked message. */
const LARGEST_UNPACKED = 64 * 1024 * 1024

/** Compresses a value as JSON for storage. */
export const pack = (value: unknown): Uint8Array => gzipSync(JSON.stringify(value))

/** The value that was given to `pack`; throws for anything else. */
export function unpack<T>(bytes: Uint8Array): T {
  return JSON.parse(gunzipSync(bytes, { maxOutputLength: LARGEST_UNPACKED }).toString('utf8')) as T
}
