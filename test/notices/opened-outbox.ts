import { connect, type NatsConnection } from '@nats-io/transport-node'
import { openOutbox } from '../../notices/open-outbox.ts'
import type { Notice } from '../../notices/notice.ts'
import type { Outbox } from '../../notices/outbox.ts'
import type { StorageSettings } from '../../runtime/nats/declare.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'

export const STORAGE: StorageSettings = { replicas: 1, bytes: 64 * 1024 ** 2 }

export interface OpenedOutbox {
  nats: TestNats
  connection: NatsConnection
  outbox: Outbox
  close(): Promise<void>
}

/** A real nats-server with the storage of notices, and an outbox on a connection of its own. */
export async function openedOutbox(): Promise<OpenedOutbox> {
  const nats = await startTestNats()
  const connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  const outbox = await openOutbox(connection, STORAGE)
  return {
    ...{ nats, connection, outbox },
    close: async () => {
      await connection.close()
      await nats.close()
    },
  }
}

/** An invented notice of one change. */
export function aNotice(over: Partial<Notice> = {}): Notice {
  return {
    digest: 'a'.repeat(64),
    client: 'northside',
    to: ['rates@northside.example'],
    environment: 'production-test',
    release: 'b'.repeat(64),
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
