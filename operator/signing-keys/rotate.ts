import { isLost, type SigningKey } from './ring.ts'

export interface RotationOptions {
  /** Milliseconds that a key signs before the next key replaces it. */
  intervalMs: number
  /** Milliseconds that a key still verifies after it stops signing: at least the lifetime of a token. */
  keptMs: number
}

/**
 * How long a process that does not answer can delay the replacement of a lost signing key. A process without the new
 * key refuses its tokens; but until there is a new key, a restarted process cannot sign at all.
 */
const LOST_WAIT_MS = 60_000

/** The key ids that each API process has loaded; undefined for a process that did not answer. */
export type HeldKeys = readonly (readonly string[] | undefined)[]

export interface Moment {
  now: Date
  reported: HeldKeys
  makeKey: () => Promise<Record<string, unknown>>
}

/**
 * The keys that there should be. There is always a next key; it becomes current once it is due and every API process
 * has loaded it. A previous key stays until the tokens that it signed have expired. A lost current key is due at once.
 * Returns the same array when nothing changes.
 */
export async function rotate(
  keys: readonly SigningKey[],
  moment: Moment,
  options: RotationOptions,
): Promise<readonly SigningKey[]> {
  const kept = withoutExpired(keys, moment.now, options)
  const next = kept.find((key) => key.state === 'next')
  if (!next) return [...kept, { state: 'next', since: moment.now.toISOString(), jwk: await moment.makeKey() }]
  const current = kept.find((key) => key.state === 'current')
  if (!mayPromote(current, next, moment, options)) return kept.length === keys.length ? keys : kept
  return kept.map((key) => promoted(key, moment.now))
}

/** Milliseconds until the keys must be checked again, unless an API process reports something earlier. */
export function untilRotation(keys: readonly SigningKey[], now: Date, { intervalMs, keptMs }: RotationOptions): number {
  const isCurrentLost = keys.some((key) => key.state === 'current' && isLost(key))
  const ages = keys.map((key) => {
    if (key.state === 'next') return isCurrentLost ? LOST_WAIT_MS - ageOf(key, now) : Infinity
    return (key.state === 'current' ? intervalMs : keptMs) - ageOf(key, now)
  })
  return Math.max(1000, Math.min(...ages, intervalMs))
}

/** Whether a next key is due and only waits for the API processes to load it. */
export function isWaitingForProcesses(
  keys: readonly SigningKey[],
  now: Date,
  { intervalMs }: RotationOptions,
): boolean {
  const current = keys.find((key) => key.state === 'current')
  return !current || isDue(current, now, intervalMs)
}

function mayPromote(
  current: SigningKey | undefined,
  next: SigningKey,
  { now, reported }: Moment,
  { intervalMs }: RotationOptions,
) {
  const kid = String(next.jwk['kid'])
  const isUrgent = !current || (isLost(current) && ageOf(next, now) >= LOST_WAIT_MS)
  if (!isUrgent) return isDue(current, now, intervalMs) && reported.every((kids) => kids?.includes(kid))
  // The first key: no token can be invalidated, and a process that is still starting reads the Secret before it is
  // ready.
  const answering = reported.filter((kids) => kids !== undefined)
  return (reported.length === 0 || answering.length > 0) && answering.every((kids) => kids.includes(kid))
}

function isDue(current: SigningKey, now: Date, intervalMs: number): boolean {
  return isLost(current) || ageOf(current, now) >= intervalMs
}

function ageOf({ since }: SigningKey, now: Date): number {
  return now.getTime() - Date.parse(since)
}

function promoted(key: SigningKey, now: Date): SigningKey {
  const since = now.toISOString()
  if (key.state === 'next') return { ...key, state: 'current', since }
  return key.state === 'current' ? { ...key, state: 'previous', since } : key
}

function withoutExpired(keys: readonly SigningKey[], now: Date, { keptMs }: RotationOptions): SigningKey[] {
  return keys.filter((key) => key.state !== 'previous' || ageOf(key, now) < keptMs)
}
