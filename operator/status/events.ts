import { hostname } from 'node:os'
import { EVENT_REASONS } from '#crds/conditions.ts'
import type { Condition } from './conditions.ts'

/** The object that an event is about. */
export interface Regarding {
  apiVersion: string
  kind: string
  /** Where there is no uid, it is read when the event is written. */
  metadata: { name: string; namespace: string; uid?: string; resourceVersion?: string }
}

/**
 * Queues events for transitions, which are written in their order. Never fails: a lost event does not justify a retry of the
 * work. Settles when each of them is written or given up, which may take long where the server is slow: work that others wait
 * for does not wait for it.
 */
export type Announce = (regarding: Regarding, transitions: readonly Condition[]) => Promise<void>

const CONTROLLER = 'rates.driveaway.dev/operator'
const NOTE_LIMIT = 1024
/**
 * Reasons that are warnings even when the condition is True: lost content, a lost secret, or a server that was restored
 * to an earlier state.
 */
const WARNINGS: ReadonlySet<string> = new Set(Object.keys(EVENT_REASONS))

/** The event of one transition; pure. */
export function eventOf({ apiVersion, kind, metadata }: Regarding, transition: Condition, now: Date) {
  const { type, status, reason, message } = transition
  const isBad =
    (type === 'Ready' && status === 'False') || type === 'Stalled' || type === 'Emergency' || WARNINGS.has(reason)
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { generateName: `${metadata.name}-`, namespace: metadata.namespace },
    // A MicroTime has exactly six decimals, or the API server refuses it.
    eventTime: now.toISOString().replace('Z', '000Z'),
    reportingController: CONTROLLER,
    reportingInstance: `${hostname()}-${process.pid}`.slice(0, 128),
    action: type,
    reason,
    type: isBad ? 'Warning' : 'Normal',
    note: `${type}=${status}: ${message}`.slice(0, NOTE_LIMIT),
    regarding: { apiVersion, kind, ...metadata },
  }
}
