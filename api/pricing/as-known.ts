import type { Call } from './operation.ts'

/**
 * The call with the rates that were known at a time, or with those of a release, where the caller asks for that, else
 * the call itself, at once; `path` is the JSON pointer of the field. Throws as `Releases.asKnownAt`.
 */
export function asKnown(call: Call, asKnownAt: string | undefined, path: string): Call | Promise<Call> {
  if (asKnownAt === undefined) return call
  const known = call.releases.asKnownAt(asKnownAt, call.rates, path)
  return known.then((snapshot) => ({ ...call, snapshot }))
}
