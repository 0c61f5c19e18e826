import type { Call, Operation } from '../operation.ts'

/** `GET /v1/releases/{release}`: the content never changes, so whoever has it need not ask again. */
export const getRelease: Operation = {
  operationId: 'getRelease',
  bodyLimit: 0,
  handle: (call) =>
    contentOf(call, call.params.release ?? '', { cacheControl: 'private, max-age=31536000, immutable' }),
}

/** `GET /v1/releases/current`: of the rates that quotes are priced with now. */
export const getCurrentRelease: Operation = {
  operationId: 'getCurrentRelease',
  bodyLimit: 0,
  handle: (call) => contentOf(call, call.snapshot.release, {}),
}

async function contentOf({ releases, rates }: Call, release: string, caching: { cacheControl?: string }) {
  const text = await releases.content(release, rates, '/path/release')
  return { body: text, type: 'application/vnd.driveaway.release+json', version: release, ...caching }
}
