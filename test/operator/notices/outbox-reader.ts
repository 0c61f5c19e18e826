import { connect } from '@nats-io/transport-node'
import type { Notice } from '#notices/notice.ts'
import { openOutbox } from '#notices/open-outbox.ts'
import type { Outbox } from '#notices/outbox.ts'
import { readPublicKeys, verified } from '#notices/signing.ts'
import { noticeStorageSettings } from '#notices/storage-settings.ts'

const settings = noticeStorageSettings({ natsReplicas: 1, noticesStoreMegabytes: 256 })

/** What waits in the mailboxes on a real nats-server, by client, and how far the announcements are. */
export async function readOutbox(url: string, trusted: string): Promise<{ notices: Notice[]; number: number }> {
  return withOutbox(url, async (outbox) => {
    // First: what is put before an announcement is there when the announcement is.
    const { progress } = await outbox.announcements.read()
    const keys = await readPublicKeys(trusted)
    const waiting = [...(await outbox.mailboxes.list()).values()].flatMap(({ mailbox }) => mailbox.waiting ?? [])
    const notices = await Promise.all(waiting.map(({ token }) => verified<Notice>('notice', token, keys)))
    const sorted = notices.toSorted((a, b) => (a.client < b.client ? -1 : 1))
    return { notices: sorted, number: progress.announced?.number ?? 0 }
  })
}

export async function withOutbox<T>(url: string, work: (outbox: Outbox) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url, reconnect: false })
  try {
    return await work(await openOutbox(connection, settings))
  } finally {
    await connection.close()
  }
}
