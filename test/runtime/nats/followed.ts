import { createLog } from '../../../runtime/log.ts'
import type { NatsAccess } from '../../../runtime/nats/access.ts'
import { followNats, type FollowedNats } from '../../../runtime/nats/connection.ts'
import { waitFor } from '../../harness/wait-for.ts'

export interface Followed extends FollowedNats {
  /** All that was logged, and the answers of `ready` that were waited for. */
  said: string[]
  untilReady(): Promise<unknown>
  untilUnready(reason: string): Promise<unknown>
}

/** Follows a NATS server with short pauses, and keeps what is said about it. */
export function followed(access: NatsAccess): Followed {
  const said: string[] = []
  const log = createLog({ name: 'test', level: 'trace' }, { write: (line: string) => void said.push(line) })
  const nats = followNats({ ...access, name: 'test', log, retryMs: 50 })
  return {
    ...nats,
    said,
    untilReady: () => waitFor('the connection', () => nats.ready().ok),
    untilUnready: (reason) =>
      waitFor(`the reason “${reason}”`, () => {
        const { ok, body } = nats.ready()
        if (!ok) said.push(JSON.stringify(body))
        return !ok && body.nats.includes(reason)
      }),
  }
}
