import type { DeliveryRecord } from '#notices/deliveries.ts'
import type { SendingResult } from './sending-result.ts'

/** The record from which an attempt starts. */
export function begin(found: DeliveryRecord | undefined, now: Date): DeliveryRecord {
  const record = found ?? { attempts: 0, accepted: 0, refused: 0 }
  return { ...record, state: 'begun', at: now.toISOString(), attempts: record.attempts + 1 }
}

/** The record after an attempt; with `isLast` nothing is tried again. */
export function follow(
  begun: DeliveryRecord,
  result: SendingResult,
  { now, isLast }: { now: Date; isLast: boolean },
): DeliveryRecord {
  const left = isLast ? [] : result.deferred
  const given = isLast ? [...result.refused, ...result.deferred] : result.refused
  const reason = isLast && result.deferred.length > 0 ? `not delivered in time: ${result.reason}` : result.reason
  const accepted = begun.accepted + result.accepted.length
  const over = accepted > 0 ? 'sent' : 'dead'
  return {
    ...{ state: left.length > 0 ? 'begun' : over, at: now.toISOString(), attempts: begun.attempts },
    ...{ accepted, refused: begun.refused + given.length },
    ...(left.length > 0 && { left }),
    ...withGiven(begun.undelivered, given, reason),
  }
}

function withGiven(
  earlier: DeliveryRecord['undelivered'],
  given: readonly string[],
  reason: string,
): Pick<DeliveryRecord, 'undelivered'> {
  if (given.length > 0) return { undelivered: { to: [...(earlier?.to ?? []), ...given], reason } }
  return earlier ? { undelivered: earlier } : {}
}

/** The record when those who did not get it are among the dead letters: without addresses. */
export function settled({ state, at, attempts, accepted, refused }: DeliveryRecord): DeliveryRecord {
  return { state, at, attempts, accepted, refused }
}
