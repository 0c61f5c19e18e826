import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Notice } from '../../notices/notice.ts'
import { openOutbox } from '../../notices/open-outbox.ts'
import type { Outbox } from '../../notices/outbox.ts'
import { withNotice } from '../../notices/mailbox-changes.ts'
import { sign } from '../../notices/signing.ts'
import { isConflict } from '../../runtime/nats/jetstream-error.ts'
import type { StorageSettings } from '../../runtime/nats/declare.ts'
import { startChartNats } from '../harness/chart-nats.ts'
import type { TestNats } from '../harness/nats.ts'
import { aNoticeKey, type NoticeKey } from './notice-key.ts'

export const STORAGE: StorageSettings = { replicas: 1, bytes: 64 * 1024 ** 2 }

export interface OpenedOutbox {
  nats: TestNats
  connection: NatsConnection
  outbox: Outbox
  key: NoticeKey
  /** Puts a notice and its client's card as the operator does. */
  put(notice: NumberedNotice, to?: readonly string[]): Promise<void>
  close(): Promise<void>
}

export type NumberedNotice = Notice & { number: number; issuedAt: string }

/** A real nats-server with the storage of notices, and an outbox on a connection of its own. */
export async function openedOutbox(storage = STORAGE): Promise<OpenedOutbox> {
  const [nats, key] = await Promise.all([startChartNats(), aNoticeKey()])
  const connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  const outbox = await openOutbox(connection, storage)
  return {
    ...{ nats, connection, outbox, key },
    put: async (notice, to = ['rates@northside.example']) => {
      const { client } = notice
      const card = { client, uid: `uid-of-${client}`, to }
      await outbox.cards.write(client, await sign('recipient', card, key.signing))
      const token = await sign('notice', notice, key.signing)
      const putting = { notice, token, knows: 1, now: new Date().toISOString() }
      await putOver(outbox, client, putting)
      await outbox.markDue(client)
    },
    close: async () => {
      await connection.close()
      await nats.close()
    },
  }
}

/** A worker may write to the mailbox in between: then what it wrote is read first. */
async function putOver(outbox: Outbox, client: string, putting: Parameters<typeof withNotice>[1]): Promise<void> {
  const { mailbox, revision } = await outbox.mailboxes.read(client)
  try {
    await outbox.mailboxes.write(client, withNotice(mailbox, putting), revision)
  } catch (error) {
    if (!isConflict(error)) throw error
    await putOver(outbox, client, putting)
  }
}

/** An invented notice of one change. */
export function aNotice(over: Partial<NumberedNotice> = {}): NumberedNotice {
  return {
    digest: 'a'.repeat(64),
    client: 'northside',
    environment: 'production-test',
    release: 'b'.repeat(64),
    number: 2,
    issuedAt: '2026-11-22T09:14:00.000Z',
    changes: [
      {
        pricingCode: 'XX_TEST',
        component: 'PLATES',
        kind: 'rule',
        ruleId: 'XX_TEST_PLATES_FY27',
        label: 'Number plates',
        about: 'figure',
        old: '30.00',
        new: '31.50',
        from: '2026-12-01',
        sources: ['An invented gazette'],
      },
    ],
    ...over,
  }
}
