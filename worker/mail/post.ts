import type { Readable } from 'node:stream'
import { createTransport, type MailMessage, type SMTPPoolOptions } from 'nodemailer'
import type { Notice } from '#notices/notice.ts'
import type { Message } from '#notices/render/message.ts'
import type { Logger } from '#runtime/log.ts'
import { readAccess, type Access } from './access.ts'
import { resultOfFault, resultOfTaken, type SendingResult, type SmtpFault } from './sending-result.ts'
import { addressOf, domainOf, type MailConfiguration } from './settings.ts'

/** One mail: a notice for all or some of its recipients. */
export interface Mail {
  notice: Pick<Notice, 'digest' | 'issuedAt' | 'client'> & { to: readonly string[] }
  message: Message
  /** The addresses that the server is to deliver to; the header names all recipients. */
  to: readonly string[]
}

export interface Post {
  /**
   * Hands a mail to the SMTP server; never rejects. When the signal aborts, it is unknown whether the server has the
   * mail.
   */
  send(mail: Mail, signal: AbortSignal): Promise<SendingResult>
  /** Closes the connections. */
  close(): void
}

/** The same for each attempt at a notice, so that duplicates can be recognized. */
export const messageIdOf = (digest: string, from: string): string => `<${digest}@${domainOf(from)}>`

/** Connects to the SMTP server, over connections that stay open. */
export function openPost(settings: MailConfiguration, log: Logger): Post {
  let transport: Transport | undefined
  const streams: Streams = new WeakMap()
  // Read each time, so that a rotated password needs no restart.
  const current = async () => {
    const access = await readAccess(settings)
    const key = JSON.stringify(access)
    if (transport?.key !== key) {
      transport?.pool.close()
      transport = { key, pool: makePool(settings, access, { log, streams }) }
    }
    return transport.pool
  }
  return {
    send: async (mail, signal) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(settings.smtpTimeoutSeconds * 1000))])
      try {
        const response = await (await current()).sendMail({ ...contentOf(mail, settings), signal: limited })
        return resultOfTaken(response, mail.to)
      } catch (error) {
        return resultOfFault(error as SmtpFault, mail.to, streams.get(limited)?.readableDidRead === true)
      }
    },
    close: () => transport?.pool.close({ force: true }),
  }
}

interface Transport {
  key: string
  pool: ReturnType<typeof makePool>
}

/**
 * The text of each mail in progress, by the mail's signal. Nothing of a text is read before the server has agreed to
 * take the mail.
 */
type Streams = WeakMap<AbortSignal, Readable>

function noteStream({ data, message }: MailMessage, streams: Streams): void {
  const create = message.createReadStream.bind(message)
  message.createReadStream = (options) => {
    const stream = create(options)
    if (data.signal) streams.set(data.signal, stream)
    return stream
  }
}

/** Where a reader of a client unsubscribes from these mails. */
export function unsubscribeUrl(client: string, settings: MailConfiguration): string {
  const { noticesUnsubscribe, noticesReplyTo, noticesFrom } = settings
  if (noticesUnsubscribe !== '') return noticesUnsubscribe
  return `mailto:${addressOf(noticesReplyTo || noticesFrom)}?subject=${encodeURIComponent(`stop notices ${client}`)}`
}

function contentOf({ notice, message, to }: Mail, settings: MailConfiguration) {
  const { noticesFrom: from, noticesReplyTo: replyTo } = settings
  return {
    ...message,
    from,
    to: asOne(notice.to),
    messageId: messageIdOf(notice.digest, from),
    // When the notice was written, not when the server accepted it.
    ...(notice.issuedAt !== undefined && { date: new Date(notice.issuedAt) }),
    envelope: { from, to: asOne(to) },
    ...(replyTo !== '' && { replyTo }),
    headers: {
      // RFC 3834: no vacation responder answers it.
      'Auto-Submitted': 'auto-generated',
      // RFC 2919 and 2369.
      'List-Id': `<rate-changes.${domainOf(from)}>`,
      'List-Unsubscribe': `<${unsubscribeUrl(notice.client, settings)}>`,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// Not parsed as a list: an address with a comma is one address.
const asOne = (to: readonly string[]) => to.map((address) => ({ name: '', address }))

function makePool(settings: MailConfiguration, access: Access, { log, streams }: { log: Logger; streams: Streams }) {
  const { username, password } = access
  const pool = createTransport({
    pool: true,
    host: settings.smtpHost,
    port: settings.smtpPort,
    maxConnections: settings.smtpConnections,
    ...encryption(settings, access),
    ...(username !== undefined && { auth: { user: username, pass: password } }),
    ...timeouts(settings),
    ...dkim(settings, access),
    // A connection that closes may have delivered the mail: the record of the notice decides whether to send it again.
    maxRequeues: 0,
  })
  pool.use('stream', (mail, done) => {
    noteStream(mail as MailMessage, streams)
    done()
  })
  pool.on('error', (error: SmtpFault) =>
    log.debug({ code: error.code, command: error.command }, 'SMTP connection lost'),
  )
  return pool
}

function dkim({ dkimDomain, dkimSelector }: MailConfiguration, { dkimKey }: Access): SMTPPoolOptions {
  if (dkimDomain === '' || dkimKey === undefined) return {}
  return { dkim: { domainName: dkimDomain, keySelector: dkimSelector, privateKey: dkimKey } }
}

function encryption({ smtpTls: tls }: MailConfiguration, { ca }: Access): SMTPPoolOptions {
  if (tls === 'none') return { secure: false, ignoreTLS: true }
  return {
    secure: tls === 'implicit',
    requireTLS: true,
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
  }
}

function timeouts({ smtpConnectSeconds, smtpTimeoutSeconds }: MailConfiguration): SMTPPoolOptions {
  const connectionTimeout = Math.min(smtpConnectSeconds, smtpTimeoutSeconds) * 1000
  return { connectionTimeout, greetingTimeout: connectionTimeout, socketTimeout: smtpTimeoutSeconds * 1000 }
}
