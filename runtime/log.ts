import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger } from 'pino'

const secretKeys = [
  'authorization',
  'cookie',
  'client_secret',
  'clientSecret',
  'client_assertion',
  'access_token',
  'token',
  'password',
  'privateKey',
]

// A wildcard of pino covers only one level, so every depth at which we log is listed.
const redactedPaths = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])

/** Creates the logger of a program: JSON lines with ISO times, with secrets replaced by `[redacted]`. */
export function createLog(options: { name: string; level?: string }, destination?: DestinationStream): Logger {
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  }
  // Synchronous by default, so that the last line before an exit is not lost.
  return pino(settings, destination ?? pino.destination({ fd: 1, sync: true }))
}
