import { isLost, type SigningKey } from './ring.ts'

export interface RotationOptions {
  /** Milliseconds that a key signs before the next one takes over. */
  intervalMs: number
  /** Milliseconds that a key still verifies after its last signature: at least one token lifetime. */
  keptMs: number
}

/**
 * How long a process that does not answer keeps a lost signing key from being replaced. Tokens of the new key are refused
 * by a process that does not hold it; but until there is a new key, a process that starts anew cannot sign.
 */
const LOST_WAIT_MS = 60_000

/** What the API processes say: for each the key ids that it holds; undefined for one that did not answer. */
export type HeldKeys = readonly (readonly string[] | undefined)[]

export interface Moment {
  now: Date
  reported: HeldKeys
  makeKey: () => Promise<Record<string, unknown>>
}

/**
 * The keys as they are to be: a next one always there, the next one current once it is due and every API process holds
 * it, a previous one until the tokens it signed have expired. A lost current key is due at once. The same array when
 * nothing is to change.
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

/** Milliseconds until the keys have to be looked at again, whatever the API processes say meanwhile. */
export function untilRotation(keys: readonly SigningKey[], now: Date, { intervalMs, keptMs }: RotationOptions): number {
  const isCurrentLost = keys.some((key) => key.state === 'current' && isLost(key))
  const ages = keys.map((key) => {
    if (key.state === 'next') return isCurrentLost ? LOST_WAIT_MS - ageOf(key, now) : Infinity
    return (key.state === 'current' ? intervalMs : keptMs) - ageOf(key, now)
  })
  return Math.max(1000, Math.min(...ages, intervalMs))
}

/** Whether a next key waits for nothing but the API processes. */
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
  // The first key: no token can be lost, and a process that is not up yet reads the Secret before it is ready.
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
