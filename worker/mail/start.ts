import type { Registry } from 'prom-client'
import { noticeStorageSettings } from '#notices/storage-settings.ts'
import { ensureNoticeStorage } from '#notices/storage.ts'
import { openNoticeStore } from '#notices/store.ts'
import { readPublicKeys, type SigningKey } from '#notices/signing.ts'
import { ConfigurationError } from '#runtime/configuration.ts'
import type { Logger } from '#runtime/log.ts'
import type { FollowedNats } from '#runtime/nats/connection.ts'
import { followStore } from '#runtime/nats/follow-store.ts'
import { natsAccess, type NatsConfiguration } from '#runtime/nats/settings.ts'
import type { Work } from '../work.ts'
import { mailMetrics, showNotices } from './metrics.ts'
import { startMailing } from './mail-notices.ts'
import { openPost, unsubscribeUrl } from './post.ts'
import type { MailConfiguration } from './settings.ts'

export interface Mailing extends Work, Pick<FollowedNats, 'ready'> {}

export interface MailingOptions {
  configuration: MailConfiguration & NatsConfiguration
  registry: Registry
  log: Logger
}

/** Starts mailing notices, on a connection of its own; undefined when no SMTP server is set. */
export async function startMail({ configuration, registry, log }: MailingOptions): Promise<Mailing | undefined> {
  if (configuration.smtpHost === '') return undefined
  const keys = await trustedKeys(configuration.noticesTrustedKeys)
  const storage = noticeStorageSettings(configuration)
  const followed = followStore({
    ...natsAccess(configuration),
    name: 'driveaway-mailer',
    log,
    ensure: (connection) => ensureNoticeStorage(connection, storage, 'user'),
    open: openNoticeStore,
  })
  const post = openPost(configuration, log)
  showNotices(registry, followed.store, Date.now)
  const work = startMailing({
    store: followed.store,
    repair: followed.repair,
    post,
    metrics: mailMetrics(registry),
    log,
    atOnce: configuration.smtpConnections,
    keys,
    surroundingsOf: (client) => surroundingsOf(client, configuration),
    pace: { settleMs: configuration.noticesSettleSeconds * 1000, perDay: configuration.noticesPerDay },
    retryMs: configuration.noticeRetrySeconds * 1000,
    giveUpMs: configuration.noticeGiveUpSeconds * 1000,
  })
  return {
    ready: followed.ready,
    stop: async (graceMs) => {
      await work.stop(graceMs)
      post.close()
      await followed.stop()
    },
  }
}

/** What a mail says beside the figures. */
const surroundingsOf = (client: string, configuration: MailConfiguration) => ({
  pagesUrl: configuration.noticesPagesUrl,
  link: configuration.noticesLink,
  contact: configuration.noticesContact,
  unsubscribe: unsubscribeUrl(client, configuration),
})

async function trustedKeys(text: string): Promise<SigningKey[]> {
  const keys = await readPublicKeys(text).catch((error: Error) => error)
  if (keys instanceof Error) throw new ConfigurationError([`NOTICES_TRUSTED_KEYS: ${keys.message}`])
  if (keys.length === 0)
    throw new ConfigurationError(['NOTICES_TRUSTED_KEYS is empty; expected the key of the operator'])
  return keys
}
