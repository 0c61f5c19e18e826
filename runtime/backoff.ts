/** Milliseconds to wait before attempt number `attempt` (0 is the first retry): doubling, capped, with full upper-half jitter. */
export function backoff(
  attempt: number,
  options: { baseMs?: number; capMs?: number; random?: () => number } = {},
): number {
  const { baseMs = 100, capMs = 30_000, random = Math.random } = options
  const exponent = Math.min(Math.max(attempt, 0), 52)
  const ceiling = Math.min(capMs, baseMs * 2 ** exponent)
  // Half is certain and half is drawn: a retry is never immediate, and many processes do not retry in step.
  return Math.round(ceiling / 2 + (ceiling / 2) * random())
}
