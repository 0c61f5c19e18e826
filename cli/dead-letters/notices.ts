import type { NatsConnection } from '@nats-io/transport-node'
import type { NoticeDeadLetter } from '#notices/dead-letters.ts'
import { replayNotice } from '#notices/replay.ts'
import { openNoticeStore } from '#notices/store.ts'
import { isStreamMissing } from '#runtime/nats/jetstream-error.ts'
import { counted } from '../output.ts'
import { replayed, type DeadLetterEntry } from './dead-letter.ts'

/** The notices in the dead letters, in the order in which they were given up. */
export async function keptNotices(connection: NatsConnection): Promise<DeadLetterEntry[]> {
  const store = await openNoticeStore(connection)
  const letters = await store.deadLetters.list().catch(noneYet)
  const said = {
    replayed: 'put back to be mailed',
    gone: undefined,
    overtaken: 'removed: its content is out of date',
    nobody: 'kept: its client has no contact with notices: true',
    another: 'removed: its client was deleted; the client of this name is another one',
  }
  return letters.map((letter) => ({
    id: letter.digest,
    line: line(letter),
    letter,
    replay: async () => said[await replayNotice(letter, store)],
  }))
}

/** Without notices ever enabled, their stream does not exist. */
function noneYet(error: unknown): NoticeDeadLetter[] {
  if (isStreamMissing(error)) return []
  throw error
}

const line = ({ digest, client, keptAt, recipients, replay, reason }: NoticeDeadLetter): string =>
  `${digest}  ${client}  ${keptAt.toISOString()}  ${counted(recipients, 'recipient')}${replayed(replay)}  ${reason}`
