import { domainToASCII } from 'node:url'
import type { SMTPPoolSentMessageInfo } from 'nodemailer'

/** The answer of an SMTP server for each recipient of one mail. */
export interface SendingResult {
  /** Addresses that the server has agreed to deliver to. */
  accepted: readonly string[]
  /** Addresses to be tried again. */
  deferred: readonly string[]
  /** Addresses that are refused for good. */
  refused: readonly string[]
  /** Why not all were accepted, in the server's words; the text may contain addresses, so it is never logged. */
  reason: string
  /** The same as a code without addresses: `550 RCPT TO`, `ETIMEDOUT CONN`. */
  code: string
  /** Whether it is certain that deferred addresses did not receive the mail. */
  isKnown: boolean
}

/** The fields of nodemailer's errors. */
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

/** The result of a mail that the server accepted for at least one recipient in `to`. */
export function resultOfTaken({ accepted, rejectedErrors = [] }: Taken, to: readonly string[]): SendingResult {
  const acceptedAddresses = named(accepted.map(String), to)
  return { accepted: acceptedAddresses, ...judged(rejectedErrors, to), ...described(rejectedErrors[0]), isKnown: true }
}

/**
 * The result of a mail that the server accepted for nobody in `to`, or whose outcome is unknown; `isHanded` means that
 * the server may have read some of the mail.
 */
export function resultOfFault(fault: SmtpFault, to: readonly string[], isHanded: boolean): SendingResult {
  const { deferred, refused } = judged(fault.rejectedErrors ?? [], to)
  const others = to.filter((address) => !deferred.includes(address) && !refused.includes(address))
  const all = isRefusal(fault)
    ? { deferred, refused: [...refused, ...others] }
    : { deferred: [...deferred, ...others], refused }
  // The server explicitly deferred the mail, or stopped answering before it had received anything.
  const isKnown = fault.responseCode !== undefined || !isHanded
  return { accepted: [], ...all, ...described(fault), isKnown }
}

function judged(faults: readonly SmtpFault[], to: readonly string[]): Pick<SendingResult, 'deferred' | 'refused'> {
  const addresses = (isFinal: boolean) =>
    faults.filter((one) => (one.permanent === true) === isFinal).flatMap(({ recipient }) => recipient ?? [])
  return { deferred: named(addresses(false), to), refused: named(addresses(true), to) }
}

/**
 * Those of our addresses that the library names: it writes domains in ASCII and lower case, and quotes unusual parts.
 */
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
 * Whether the mail itself was refused for good. A refusal before any recipient was named (of the login or our address)
 * is a fault of the settings that somebody will correct, so the notice waits.
 */
function isRefusal({ permanent, command, code, responseCode, rejectedErrors }: SmtpFault): boolean {
  // The library itself cannot send the mail: it is too large for the server, or an address is invalid.
  if (responseCode === undefined) return code === 'EMESSAGE' || code === 'EENVELOPE'
  if (rejectedErrors && command === 'RCPT TO') return false
  return permanent === true && (command === 'RCPT TO' || command === 'DATA')
}

function described(fault: SmtpFault | undefined): Pick<SendingResult, 'reason' | 'code'> {
  if (!fault) return { reason: '', code: '' }
  const code = [fault.responseCode ?? fault.code ?? 'error', fault.command].filter(Boolean).join(' ')
  return { reason: fault.message, code }
}
