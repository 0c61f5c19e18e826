import type { Call } from './operation.ts'

/**
 * The call with the rates that were known at a time, or with those of a release, where the caller asks for that; `path` is
 * the JSON pointer of the field. Throws as `Releases.asKnownAt`.
 */
export async function asKnown(call: Call, asKnownAt: string | undefined, path: string): Promise<Call> {
  if (asKnownAt === undefined) return call
  return { ...call, snapshot: await call.releases.asKnownAt(asKnownAt, call.rates, path) }
}
