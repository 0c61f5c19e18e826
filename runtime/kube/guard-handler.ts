import type { Logger } from '../log.ts'

/**
 * Calls a handler and logs what it throws, at once or later, so that an error ends neither the watch nor, as an
 * unhandled rejection, the process.
 */
export function guardHandler(log: Logger, what: string, handler: () => unknown): void {
  const failed = (error: unknown) => log.error({ err: error, what }, 'a handler of the watch failed')
  try {
    const outcome = handler()
    if (outcome instanceof Promise) outcome.catch(failed)
  } catch (error) {
    failed(error)
  }
}
