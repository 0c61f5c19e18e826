import type { Registry } from 'prom-client'
import { noticeStorageSettings } from '#notices/storage-settings.ts'
import { ensureNoticeStorage } from '#notices/storage.ts'
import { openNoticeStore, type NoticeStore } from '#notices/store.ts'
import type { Logger } from '#runtime/log.ts'
import { followNats, type FollowedNats } from '#runtime/nats/connection.ts'
import type { Work } from '../work.ts'
import { mailMetrics, showNotices } from './metrics.ts'
import { startMailing } from './mail-notices.ts'
import { openPost } from './post.ts'
import type { MailConfiguration } from './settings.ts'

export interface Mailing extends Work, Pick<FollowedNats, 'ready'> {}

export interface MailingOptions {
  configuration: MailConfiguration & { natsUrl: string }
  registry: Registry
  log: Logger
}

/** Starts to mail notices, beside the batches and on a connection of its own; undefined where no SMTP server is set. */
export function startMail({ configuration, registry, log }: MailingOptions): Mailing | undefined {
  if (configuration.smtpHost === '') return undefined
  const storage = noticeStorageSettings(configuration)
  const follow = followStore(configuration.natsUrl, storage, log)
  const post = openPost(configuration, log)
  showNotices(registry, follow.store, Date.now)
  const work = startMailing({
    ...{ store: follow.store, repair: follow.repair, post, metrics: mailMetrics(registry), log },
    atOnce: configuration.smtpConnections,
    retryMs: configuration.noticeRetrySeconds * 1000,
    giveUpMs: configuration.noticeGiveUpSeconds * 1000,
  })
  return {
    ready: follow.nats.ready,
    stop: async (graceMs) => {
      await work.stop(graceMs)
      post.close()
      await follow.nats.stop()
    },
  }
}

function followStore(url: string, storage: Parameters<typeof ensureNoticeStorage>[1], log: Logger) {
  let store: NoticeStore | undefined
  const nats = followNats({
    ...{ url, name: 'driveaway-mailer', log },
    prepare: async (connection) => {
      await ensureNoticeStorage(connection, storage)
      if (store?.connection !== connection) store = await openNoticeStore(connection)
    },
  })
  const repair = async () => {
    const connection = nats.connection()
    if (connection) await ensureNoticeStorage(connection, storage)
  }
  return { nats, repair, store: () => (nats.connection() ? store : undefined) }
}
