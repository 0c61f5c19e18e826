import type { Answer } from '../../http/operation.ts'
import type { Call, Operation } from '../operation.ts'

/** The content without a signature, and the signed file that an evaluator opens. */
const CONTENT = 'application/vnd.driveaway.release+json'
const BUNDLE = 'application/vnd.driveaway.bundle+gzip'
const NAMES_BUNDLE = /(?:^|[\s,])application\/vnd\.driveaway\.bundle\+gzip(?:$|[\s,;])/i

/**
 * `GET /v1/releases/{release}`: the content never changes, so whoever has it need not ask again. The bundle does: a
 * release in force gets an end, and a retired key no longer signs.
 */
export const getRelease: Operation = {
  operationId: 'getRelease',
  bodyLimit: 0,
  handle: (call) =>
    answerWith(call, call.params.release ?? '', { cacheControl: 'private, max-age=31536000, immutable' }),
}

/** `GET /v1/releases/current`: of the rates that quotes are priced with now. */
export const getCurrentRelease: Operation = {
  operationId: 'getCurrentRelease',
  bodyLimit: 0,
  handle: (call) => answerWith(call, call.snapshot.release, {}),
}

/** The bundle where `Accept` names its type; else the content, as ever. */
async function answerWith(call: Call, release: string, caching: { cacheControl?: string }): Promise<Answer> {
  const { releases, bundles, rates, header } = call
  if (NAMES_BUNDLE.test(String(header['accept'] ?? ''))) {
    const { bytes, version } = await bundles.bundleOf(release, rates, '/path/release')
    return { body: bytes, type: BUNDLE, version, vary: 'Accept' }
  }
  const text = await releases.content(release, rates, '/path/release')
  return { body: text, type: CONTENT, version: release, ...caching, vary: 'Accept' }
}
