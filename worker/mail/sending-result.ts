import { domainToASCII } from 'node:url'
import type { SMTPPoolSentMessageInfo } from 'nodemailer'

/** What an SMTP server said of each recipient of one mail. */
export interface SendingResult {
  /** It has taken on to deliver it to these. */
  accepted: readonly string[]
  /** To be tried again. */
  deferred: readonly string[]
  /** Never. */
  refused: readonly string[]
  /** Why not to all, in the words of the server; it may name addresses, so it is for no log. */
  reason: string
  /** The same as a code that names nobody: `550 RCPT TO`, `ETIMEDOUT CONN`. */
  code: string
  /** Whether those who are to be tried again certainly do not have it. */
  isKnown: boolean
}

/** What nodemailer's errors carry. */
export interface SmtpFault {
  message: string
  code?: string
  command?: string
  responseCode?: number
  permanent?: boolean
  recipient?: string
  rejectedErrors?: readonly SmtpFault[]
}

type Taken = Pick<SMTPPoolSentMessageInfo, 'accepted'> & { rejectedErrors?: readonly SmtpFault[] }

/** The result of a mail to `to` that the server took for one recipient at least. */
export function resultOfTaken({ accepted, rejectedErrors = [] }: Taken, to: readonly string[]): SendingResult {
  const acceptedAddresses = named(accepted.map(String), to)
  return { accepted: acceptedAddresses, ...judged(rejectedErrors, to), ...described(rejectedErrors[0]), isKnown: true }
}

/**
 * The result of a mail to `to` that the server took for nobody, or of which nothing is known; `isHanded` says whether the
 * server may have read some of the mail.
 */
export function resultOfFault(fault: SmtpFault, to: readonly string[], isHanded: boolean): SendingResult {
  const { deferred, refused } = judged(fault.rejectedErrors ?? [], to)
  const others = to.filter((address) => !deferred.includes(address) && !refused.includes(address))
  const all = isRefusal(fault)
    ? { deferred, refused: [...refused, ...others] }
    : { deferred: [...deferred, ...others], refused }
  // The server put it off in so many words, or fell silent before it had anything.
  const isKnown = fault.responseCode !== undefined || !isHanded
  return { accepted: [], ...all, ...described(fault), isKnown }
}

function judged(faults: readonly SmtpFault[], to: readonly string[]): Pick<SendingResult, 'deferred' | 'refused'> {
  const addresses = (isFinal: boolean) =>
    faults.filter((one) => (one.permanent === true) === isFinal).flatMap(({ recipient }) => recipient ?? [])
  return { deferred: named(addresses(false), to), refused: named(addresses(true), to) }
}

/** Those of our addresses that the library names: it writes domains in ASCII and lower case, and quotes what is unusual. */
function named(addresses: readonly string[], to: readonly string[]): string[] {
  const found = new Set(addresses.map(plain))
  return to.filter((address) => found.has(plain(address)))
}

function plain(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).replace(/^"(.*)"$/, '$1')
  return `${local.replace(/\\(.)/g, '$1')}@${domainToASCII(address.slice(at + 1).toLowerCase())}`
}

/**
 * Whether the mail itself was refused for good. What a server refuses before any recipient was named (the login, our
 * address) is a fault of the settings, which somebody mends: the notice waits for that.
 */
function isRefusal({ permanent, command, code, responseCode, rejectedErrors }: SmtpFault): boolean {
  // The library itself found that it cannot be sent: too large for the server, an address that is none.
  if (responseCode === undefined) return code === 'EMESSAGE' || code === 'EENVELOPE'
  if (rejectedErrors && command === 'RCPT TO') return false
  return permanent === true && (command === 'RCPT TO' || command === 'DATA')
}

function described(fault: SmtpFault | undefined): Pick<SendingResult, 'reason' | 'code'> {
  if (!fault) return { reason: '', code: '' }
  const code = [fault.responseCode ?? fault.code ?? 'error', fault.command].filter(Boolean).join(' ')
  return { reason: fault.message, code }
}
