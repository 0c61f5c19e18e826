import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Notice } from '#notices/notice.ts'
import { openOutbox } from '#notices/open-outbox.ts'
import { unpack } from '#notices/packed.ts'
import { noticeStorageSettings } from '#notices/storage-settings.ts'
import { NOTICES } from '#notices/storage.ts'

const settings = noticeStorageSettings({ natsReplicas: 1, noticesStoreMegabytes: 256 })

/** What waits for the post on a real nats-server, and what was announced last. */
export async function readOutbox(url: string): Promise<{ notices: Notice[]; number: number }> {
  const connection = await connect({ servers: url, reconnect: false })
  try {
    const outbox = await openOutbox(connection, settings)
    // First: what is put before an announcement is there when the announcement is.
    const number = (await outbox.announced())?.number ?? 0
    const { streams } = await jetstreamManager(connection)
    const { state } = await streams.info(NOTICES)
    const notices: Notice[] = []
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
      const message = await streams.getMessage(NOTICES, { seq })
      if (message) notices.push(unpack<Notice>(message.data))
    }
    return { notices, number }
  } finally {
    await connection.close()
  }
}
