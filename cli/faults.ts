import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { didYouMean } from './did-you-mean.ts'
import { WrongCall } from './help.ts'

/** A server that the command needs did not answer, or refused; the message names the server. */
export class ServerFault extends Error {}

/** Nothing can be priced with the rates of a side; the message names the side. */
export class CannotPrice extends Error {}

/** A call of a command, and what it threw. */
interface Failed {
  name: string
  command: Command
  args: string[]
  error: unknown
}

const UNANSWERED = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'UND_ERR_SOCKET'])
/** The error of NATS for a login that lacks a right. */
const NO_RIGHT = 'PermissionViolationError'
const SERVER_FAULTS = new Set([
  'KubeApiError',
  'ConnectionError',
  'TimeoutError',
  'AbortError',
  'ConnectTimeoutError',
  NO_RIGHT,
])

/** The exit code and the message for an error of a command: 2 for a wrong call or a missing path, 3 for a server. */
export function faultOf(failed: Failed): { code: 2 | 3; lines: string[] } {
  const { error, name, command } = failed
  if (isWrongCall(error)) {
    const usage = command.help.usage.map((line) => `usage: driveaway ${line}`)
    return { code: 2, lines: [`driveaway ${name}: ${wrongCallText(failed)}`, ...usage, `more: driveaway help ${name}`] }
  }
  return {
    code: isServerFault(error) ? 3 : 2,
    lines: [rightsFaultText(error) ?? pathFaultText(error) ?? messageOf(error)],
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

const isWrongCall = (error: unknown) => error instanceof WrongCall || codeOf(error).startsWith('ERR_PARSE_ARGS_')

function wrongCallText({ error, command: { options }, args }: Failed): string {
  if (codeOf(error) !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return messageOf(error)
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name))
  if (unknown?.kind !== 'option') return messageOf(error)
  return `unknown option ${unknown.rawName}${didYouMean(unknown.name, Object.keys(options), '--')}`
}

const PATH_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no',
  ENOTDIR: 'part of the path is a file, not a folder:',
  EACCES: 'no permission to open',
  EEXIST: 'there is a file already, which is not overwritten:',
  EISDIR: 'expected a file, not a folder:',
}

/** What is wrong with a path; undefined for any other error. */
function pathFaultText(error: unknown): string | undefined {
  const { path } = (error ?? {}) as { path?: unknown }
  const words = PATH_FAULTS[codeOf(error)]
  return words !== undefined && typeof path === 'string' ? `${words} ${path}` : undefined
}

/** The right that the NATS login lacks, and the login that has it; undefined for any other error. */
function rightsFaultText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name !== NO_RIGHT) return rightsFaultText(error.cause)
  return `NATS does not let this login do that: ${error.message}\nPeople use the login admin of the chart's NATS, and a backup the login backup: docs/nats.md`
}

function isServerFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof ServerFault) return true
  return UNANSWERED.has(codeOf(error)) || SERVER_FAULTS.has(error.name) || isServerFault(error.cause)
}
