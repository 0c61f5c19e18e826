/**
 * Milliseconds to wait before a retry; `attempt` 0 is the first. The delay doubles up to a cap, and its upper half is
 * random.
 */
export function backoff(
  attempt: number,
  options: { baseMs?: number; capMs?: number; random?: () => number } = {},
): number {
  const { baseMs = 100, capMs = 30_000, random = Math.random } = options
  const exponent = Math.min(Math.max(attempt, 0), 52)
  const ceiling = Math.min(capMs, baseMs * 2 ** exponent)
  // Half of the delay is fixed and half is random: no retry is immediate, and processes do not retry in step.
  return Math.round(ceiling / 2 + (ceiling / 2) * random())
}
