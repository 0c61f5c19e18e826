import { checkChanges } from '#rates/answers/list-changes.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { notReadable } from '../../releases/refusals.ts'
import { ApiError } from '../../errors.ts'
import { asKnown } from '../as-known.ts'
import type { Call, Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/changes`: within the rates of one release, or between two releases. */
export const listChanges: Operation = {
  operationId: 'listChanges',
  bodyLimit: 0,
  handle: async (call) => {
    const { query, reportOf, changesBetween } = call
    const { snapshot, earlier } = await comparedIn(call)
    const checked = refusing('', () => checkChanges(query, { snapshot, earlier }))
    const changes = earlier ? await changesBetween(earlier, snapshot) : (await reportOf(snapshot)).changes
    const { from, to, pricingCode, limit, cursor } = query
    const version = [snapshot.release, earlier?.release, from, to, pricingCode, limit, cursor].join(' ')
    return { body: checked.page(changes), version }
  },
}

/** The rates that a query is about. Throws `bad_request`, and as `Releases.asKnownAt`. */
async function comparedIn(call: Call): Promise<{ snapshot: Snapshot; earlier?: Snapshot }> {
  const { asKnownAt, fromRelease, toRelease } = call.query
  if (fromRelease === undefined) {
    if (toRelease !== undefined) throw wrong('/query/fromRelease', 'fromRelease is required with toRelease.')
    return asKnown(call, asKnownAt, '/query/asKnownAt')
  }
  if (asKnownAt !== undefined) throw wrong('/query/asKnownAt', 'asKnownAt does not go with fromRelease.')
  const { snapshot: earlier } = await asKnown(call, fromRelease, '/query/fromRelease')
  const { snapshot } = await asKnown(call, toRelease, '/query/toRelease')
  // A set that is not loaded yet would be told as one that is no longer published.
  const missing = [earlier, snapshot].flatMap(({ unavailable }) => unavailable)
  if (missing.length > 0) throw notReadable(`The rates of ${missing.join(', ')} are not loaded yet; try again.`)
  return { snapshot, earlier }
}

function wrong(path: string, message: string): ApiError {
  return new ApiError('bad_request', message, { errors: [{ path, message, errorCode: 'bad_request' }] })
}
