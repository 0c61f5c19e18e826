import { ApiError } from '../errors.ts'
import { isUsable, type KnownRelease } from './timeline.ts'

/** Releases that a message names. */
const NAMED = 5

/** A release whose content cannot be used; whoever asks for it is refused, each at its own field. */
export class Unusable extends Error {
  override name = 'Unusable'
}

/** What cannot be read at the moment, and may be read again. */
export const notReadable = (message: string): ApiError =>
  new ApiError('not_ready', message, { headers: { 'retry-after': '5' } })

/** The refusal of a release, with why and without what is kept instead, which a person chooses from a list. */
export class UnknownRelease extends ApiError {
  readonly why: string

  constructor(path: string, why: string, message: string) {
    super('UNKNOWN_RELEASE', message, { errors: [{ path, message, errorCode: 'UNKNOWN_RELEASE' }] })
    this.why = why
  }
}

/** Refuses the field at a JSON pointer with what is kept instead; throws UnknownRelease. */
export function refuse(path: string, why: string, known: readonly KnownRelease[]): never {
  const usable = known.filter(isUsable)
  const named = usable
    .slice(0, NAMED)
    .map(({ release, inForce }) => `${release} (since ${inForce.at(-1)?.since ?? 'a time that is not known'})`)
  const more = usable.length > NAMED ? `, and ${usable.length - NAMED} more in GET /v1/releases` : ''
  const message = `${why} Kept: ${named.join(', ')}${more}.`
  throw new UnknownRelease(path, why, message)
}

/** Refuses a text that names neither a release nor a time; throws `bad_request`. */
export function refuseText(path: string): never {
  const message = `${path.split('/').at(-1)} must be a release, sha256:…, or an ISO time with a zone, such as 2026-08-01T09:00:00+10:00.`
  throw new ApiError('bad_request', message, { errors: [{ path, message, errorCode: 'bad_request' }] })
}
