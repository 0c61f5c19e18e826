import type { Clock } from '#runtime/clock.ts'
import { isRefusal } from '#runtime/kube/api-error.ts'

const TRIES = 3

/** Retries for so many milliseconds when the server is busy or fails; a refusal is not retried. */
export async function trying<T>(clock: Clock, forMs: number, act: () => Promise<T>): Promise<T> {
  const startedAt = clock.elapsed()
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (isRefusal(error) || attempt === TRIES || clock.elapsed() - startedAt > forMs) throw error
      await clock.sleep(100 * 2 ** attempt)
    }
  }
}
