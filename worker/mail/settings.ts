import { noticeStorageVariables, settleSeconds, type NoticeStorageConfiguration } from '#notices/storage-settings.ts'
import { choice, integer, port, seconds, text } from '#runtime/configuration.ts'

/** Settings of the mailing, one environment variable each. */
export interface MailConfiguration extends NoticeStorageConfiguration {
  /** Public keys that verify notices: a JSON list of JWKs with `kid`. */
  noticesTrustedKeys: string
  /** Least seconds between two mails to one client. */
  noticesSettleSeconds: number
  /** Most mails to one client on one day of UTC. */
  noticesPerDay: number
  /** Empty: this worker sends no notices. */
  smtpHost: string
  smtpPort: number
  /** `required`: STARTTLS or nothing; `implicit`: TLS from the first byte; `none`: for a relay on the same machine. */
  smtpTls: 'required' | 'implicit' | 'none'
  /**
   * A folder with the files `username` and `password`, and `ca.crt` when the server's authority is not a public one.
   */
  smtpSecretDirectory: string
  smtpUsername: string
  smtpPassword: string
  /** A file of certificates that verify the server, instead of the public authorities. */
  smtpCaFile: string
  /** Mails sent at once, each on its own connection. */
  smtpConnections: number
  /** Seconds within which the server must answer first. */
  smtpConnectSeconds: number
  /** Longest time for one attempt, in seconds. */
  smtpTimeoutSeconds: number
  /** The sender: an address, or `Name <address>`. */
  noticesFrom: string
  /**
   * The address at which readers reach the pricing API, which serves the full text of each notice; empty: mails have no
   * link to it.
   */
  noticesPagesUrl: string
  /** A page with more about the rates, linked in each mail; empty: none. */
  noticesLink: string
  /** A contact that readers may ask instead of replying; empty: none. */
  noticesContact: string
  /** Address for replies; empty: the sender. */
  noticesReplyTo: string
  /** Where readers unsubscribe, `mailto:` or `https:`; empty: by a mail to the address for replies. */
  noticesUnsubscribe: string
  /** The domain that signs each mail (DKIM); empty: none. */
  dkimDomain: string
  dkimSelector: string
  /** File with the private key in PEM; empty: `dkim.key` of `smtpSecretDirectory`. */
  dkimKeyFile: string
  /** Seconds before the first retry of a notice; each further delay is twice as long, at most half an hour. */
  noticeRetrySeconds: number
  /** Seconds after which a notice is given up. */
  noticeGiveUpSeconds: number
}

const DAY = 86_400

export const mailVariables = {
  ...noticeStorageVariables,
  smtpHost: text({ env: 'SMTP_HOST', default: '' }),
  smtpPort: port({ env: 'SMTP_PORT', default: 587 }),
  smtpTls: choice({ env: 'SMTP_TLS', values: ['required', 'implicit', 'none'], default: 'required' }),
  smtpSecretDirectory: text({ env: 'SMTP_SECRET_DIRECTORY', default: '' }),
  smtpUsername: text({ env: 'SMTP_USERNAME', default: '' }),
  smtpPassword: text({ env: 'SMTP_PASSWORD', default: '' }),
  smtpCaFile: text({ env: 'SMTP_CA_FILE', default: '' }),
  smtpConnections: integer({ env: 'SMTP_CONNECTIONS', default: 4, min: 1, max: 100 }),
  smtpConnectSeconds: seconds({ env: 'SMTP_CONNECT_SECONDS', default: 30, min: 0.1, max: 600 }),
  // RFC 5321, 4.5.3.2.6: ten minutes for the last answer alone, since giving up too early is what makes duplicates.
  smtpTimeoutSeconds: seconds({ env: 'SMTP_TIMEOUT_SECONDS', default: 900, min: 0.1, max: 3_600 }),
  noticesTrustedKeys: text({ env: 'NOTICES_TRUSTED_KEYS', default: '[]' }),
  noticesSettleSeconds: settleSeconds,
  noticesPerDay: integer({ env: 'NOTICES_PER_DAY', default: 4, min: 1, max: 1_000 }),
  noticesFrom: text({ env: 'NOTICES_FROM', default: '' }),
  noticesPagesUrl: text({ env: 'NOTICES_PAGES_URL', default: '' }),
  noticesLink: text({ env: 'NOTICES_LINK', default: '' }),
  noticesContact: text({ env: 'NOTICES_CONTACT', default: '' }),
  noticesReplyTo: text({ env: 'NOTICES_REPLY_TO', default: '' }),
  noticesUnsubscribe: text({ env: 'NOTICES_UNSUBSCRIBE', default: '' }),
  dkimDomain: text({ env: 'DKIM_DOMAIN', default: '' }),
  dkimSelector: text({ env: 'DKIM_SELECTOR', default: '' }),
  dkimKeyFile: text({ env: 'DKIM_KEY_FILE', default: '' }),
  noticeRetrySeconds: seconds({ env: 'NOTICE_RETRY_SECONDS', default: 15, min: 0.1, max: 1_800 }),
  // RFC 5321, 4.5.4.1: at least four or five days.
  noticeGiveUpSeconds: seconds({ env: 'NOTICE_GIVE_UP_SECONDS', default: 5 * DAY, min: 1 }),
}

/** The faults of the settings in combination; empty when no mail is sent. */
export function mailFaults(settings: MailConfiguration): string[] {
  const { smtpHost, smtpTls, smtpUsername, smtpPassword, smtpSecretDirectory, noticesFrom } = settings
  if (smtpHost === '') return []
  const faults: string[] = []
  if (domainOf(noticesFrom) === '') faults.push('NOTICES_FROM is not set to an address; it is required with SMTP_HOST')
  faults.push(...headerFaults(settings))
  if ((smtpUsername === '') !== (smtpPassword === '')) faults.push('SMTP_USERNAME and SMTP_PASSWORD go together')
  if (smtpTls === 'none' && (smtpPassword !== '' || smtpSecretDirectory !== '')) {
    faults.push('SMTP_TLS is none; expected required or implicit with credentials')
  }
  return faults
}

function headerFaults(settings: MailConfiguration): string[] {
  const { noticesReplyTo, noticesUnsubscribe, noticesPagesUrl, dkimDomain, dkimSelector } = settings
  const faults: string[] = []
  if (!/^(https?:\/\/[^\s<>?#]+)?$/.test(noticesPagesUrl)) {
    faults.push('NOTICES_PAGES_URL is not an http: or https: address without a query')
  }
  if (noticesReplyTo !== '' && domainOf(noticesReplyTo) === '') faults.push('NOTICES_REPLY_TO is not an e-mail address')
  if (!/^((mailto:|https:\/\/)[^\s<>]+)?$/.test(noticesUnsubscribe)) {
    faults.push('NOTICES_UNSUBSCRIBE is not a mailto: or https: address')
  }
  if ((dkimDomain === '') !== (dkimSelector === '')) faults.push('DKIM_DOMAIN and DKIM_SELECTOR go together')
  return faults
}

/** The part after the @ of an address or of `Name <address>`; empty when there is none. */
export function domainOf(address: string): string {
  return /@([a-z0-9.-]+)>?$/i.exec(address.trim())?.[1] ?? ''
}

/** The address in an address or in `Name <address>`. */
export const addressOf = (address: string): string => /<([^>]+)>\s*$/.exec(address)?.[1] ?? address.trim()
