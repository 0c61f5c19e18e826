import type { Router } from '@koa/router'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { NotSignable, signReceipt, withReceipt, type Receipted } from '#rates/release/receipt.ts'
import type { ReleaseKeys } from '#rates/release/signed.ts'
import { ApiError } from '../errors.ts'
import type { ReleaseKeyRing } from '../load/follow-release-keys.ts'
import type { Call } from './operation.ts'

/**
 * Adds a receipt to the answer when the request asks for one, else returns the answer at once; `at` is the JSON pointer of the request from the body's
 * root. Throws RECEIPT_NOT_AVAILABLE when this environment has no key that signs, RECEIPT_NOT_SIGNED when its key fails.
 */
export function answerWithReceipt<A extends Receipted>(
  request: QuoteRequest,
  answer: A,
  call: Call,
  at = '',
): A | Promise<A> {
  if (request.options?.receipt !== true) return answer
  return signed(request, answer, call, at)
}

async function signed<A extends Receipted>(
  request: QuoteRequest,
  answer: A,
  { releaseKeys, clock, snapshot }: Call,
  at: string,
): Promise<A> {
  const own = releaseKeys().signing(clock())
  if (!own) throw notAvailable(`/body${at}/options/receipt`)
  const { environment } = own
  const said = { environment, iat: Math.floor(clock() / 1000), engine: thisEngine(), release: snapshot.release }
  return withReceipt(answer, await signing(`/body${at}`, () => signReceipt({ request, answer }, said, own)))
}

/**
 * Fields beyond the contract may have values that cannot be signed: a text that is not Unicode, a number beyond a
 * double.
 */
async function signing(path: string, sign: () => Promise<string>): Promise<string> {
  try {
    return await sign()
  } catch (cause) {
    if (!(cause instanceof NotSignable)) throw notSigned(cause)
    const message =
      'The request has a value that cannot be signed: a number that is too large, or a text that is not Unicode.'
    throw new ApiError('bad_request', message, { cause, errors: [{ path, message, errorCode: 'bad_request' }] })
  }
}

/** The quote could be answered: only its receipt is missing, until the key is repaired. */
function notSigned(cause: unknown): ApiError {
  const message = 'The receipt cannot be signed at the moment. Try again, or send the request without options.receipt.'
  return new ApiError('RECEIPT_NOT_SIGNED', message, { cause, headers: { 'retry-after': '30' } })
}

function notAvailable(path: string): ApiError {
  const message = 'This environment signs no receipts; send the request without options.receipt.'
  return new ApiError('RECEIPT_NOT_AVAILABLE', message, {
    errors: [{ path, message, errorCode: 'RECEIPT_NOT_AVAILABLE' }],
  })
}

/** Path of the public release keys, with which anybody verifies a receipt or a bundle. */
export const RELEASE_KEYS_PATH = '/.well-known/release-keys'

/**
 * Routes `GET /.well-known/release-keys` to anybody, because the holder of a printed quote has no token. Retired keys
 * stay in the list with the last day on which they signed, so that their signatures remain verifiable.
 */
export function routeReleaseKeys(router: Router, releaseKeys: () => ReleaseKeyRing): void {
  router.get(RELEASE_KEYS_PATH, (ctx) => {
    ctx.state.operationId = 'listReleaseKeys'
    const keys: ReleaseKeys = { keys: releaseKeys().published }
    ctx.set('cache-control', 'public, max-age=300')
    ctx.body = keys
  })
}
