import { JetStreamApiError } from '@nats-io/jetstream'
import { PermissionViolationError, RequestError } from '@nats-io/transport-node'

// Names and numbers from nats-server's server/errors.json, of which the client library names only some.
const STREAM_NOT_FOUND = 10059
const STREAM_EXISTS_OTHERWISE = 10058
const CONSUMER_NOT_FOUND = 10014
const CONSUMER_EXISTS = [10013, 10148]
const WRONG_LAST_SEQUENCE = [10071, 10164]
/** The server takes no atomic batch, or not this one now; of 10176, it has lost a part of it. */
const BATCH_REFUSED = [10174, 10175, 10176, 10177, 10179, 10199, 10200, 10210]
/** No message of this sequence is between the first and the last of the stream, or in it at all. */
const MESSAGE_NOT_FOUND = [10037, 10043]
/** The deletion of a message failed; only the text says whether because there is none before the first or after the last. */
const NOT_DELETED = 10057
const OUT_OF_RANGE = ['no message found', 'stream store EOF']
/** Account, server or stream has no room; 10077 is the refusal of the file store itself. */
const NO_ROOM = [10002, 10023, 10047, 10077]

const codeOf = (error: unknown): number => (error instanceof JetStreamApiError ? error.code : 0)

export const isStreamMissing = (error: unknown): boolean => codeOf(error) === STREAM_NOT_FOUND
/**
 * Whether a stream or a consumer is not there: the server says so, or nobody answers a request because no stream has its subject. The
 * client library hides the latter in the cause of an error that says that JetStream is off.
 */
export function isPartMissing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return isStreamMissing(error) || isConsumerMissing(error)
  if (error instanceof RequestError) return error.isNoResponders()
  return error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders()
}
/** Whether a message that was to be removed is not there. */
export const isMessageMissing = (error: unknown): boolean =>
  MESSAGE_NOT_FOUND.includes(codeOf(error)) ||
  (codeOf(error) === NOT_DELETED && OUT_OF_RANGE.includes((error as JetStreamApiError).message))
/** Whether the login has no right to do this. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof PermissionViolationError ||
  (error instanceof Error && error.cause instanceof PermissionViolationError)
export const isStreamOtherwise = (error: unknown): boolean => codeOf(error) === STREAM_EXISTS_OTHERWISE
export const isConsumerMissing = (error: unknown): boolean => codeOf(error) === CONSUMER_NOT_FOUND
export const isConsumerOtherwise = (error: unknown): boolean => CONSUMER_EXISTS.includes(codeOf(error))
/** Whether another write came first: the key or subject is not at the expected sequence. */
export const isConflict = (error: unknown): boolean => WRONG_LAST_SEQUENCE.includes(codeOf(error))
export const isBatchRefused = (error: unknown): boolean => BATCH_REFUSED.includes(codeOf(error))
/** Returns false for a write that came second; throws every other error. */
export function unlessConflict(error: unknown): false {
  if (!isConflict(error)) throw error
  return false
}
export const isFull = (error: unknown): boolean => NO_ROOM.includes(codeOf(error))
