import type { Help } from './help.ts'
import { WrongCall } from './help.ts'

const UNANSWERED = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'UND_ERR_SOCKET'])
const SERVER_FAULTS = new Set(['KubeApiError', 'ConnectionError', 'TimeoutError', 'AbortError', 'ConnectTimeoutError'])

/** The exit code and the words of what a command threw: 2 for a wrong call or a path that is not there, 3 for a server. */
export function faultOf(error: unknown, name: string, help: Help): { code: 2 | 3; lines: string[] } {
  const message = error instanceof Error ? error.message : String(error)
  if (isWrongCall(error)) {
    const usage = help.usage.map((line) => `usage: driveaway ${line}`)
    return { code: 2, lines: [`driveaway ${name}: ${message}`, ...usage, `more: driveaway help ${name}`] }
  }
  return { code: isServerFault(error) ? 3 : 2, lines: [message] }
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

const isWrongCall = (error: unknown) => error instanceof WrongCall || codeOf(error).startsWith('ERR_PARSE_ARGS_')

function isServerFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return UNANSWERED.has(codeOf(error)) || SERVER_FAULTS.has(error.name) || isServerFault(error.cause)
}
