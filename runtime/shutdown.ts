import type { Logger } from 'pino'

export interface StopStep {
  name: string
  stop: () => Promise<void> | void
}

export interface ShutdownOptions {
  /** Milliseconds for all steps together, after which the process exits with code 1. Default 10,000. */
  deadlineMs?: number
  signals?: NodeJS.Signals[]
}

/**
 * Runs the steps in order on the first SIGTERM or SIGINT, then exits: with `process.exitCode` (or 0) when all
 * succeeded, with 1 after a failed step or a missed deadline. A second signal exits at once with code 1.
 */
export function onShutdown(
  log: Logger,
  steps: StopStep[],
  options: ShutdownOptions = {},
): { stop(reason: string): Promise<void> } {
  const { deadlineMs = 10_000, signals = ['SIGTERM', 'SIGINT'] } = options
  let stopping: Promise<void> | undefined
  const stop = (reason: string) => (stopping ??= stopAll(log, steps, { deadlineMs, reason }))
  for (const signal of signals) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      void stop(signal)
    })
  }
  return { stop }
}

async function stopAll(
  log: Logger,
  steps: StopStep[],
  { deadlineMs, reason }: { deadlineMs: number; reason: string },
): Promise<void> {
  log.info({ reason }, 'stopping')
  let current = ''
  const deadline = setTimeout(() => {
    log.error({ step: current, deadlineMs }, 'did not stop in time')
    process.exit(1)
  }, deadlineMs)
  let failed = false
  for (const step of steps) {
    current = step.name
    try {
      await step.stop()
    } catch (error) {
      failed = true
      log.error({ err: error, step: step.name }, 'could not stop')
    }
  }
  clearTimeout(deadline)
  log.info({ reason }, 'stopped')
  process.exit(failed ? 1 : process.exitCode)
}
