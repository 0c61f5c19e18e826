import { hostname } from 'node:os'
import { EVENT_REASONS } from '#crds/conditions.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import type { Condition } from './conditions.ts'

/** The object that an event is about. */
export interface Regarding {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace: string; uid: string; resourceVersion?: string }
}

/** Writes events for transitions. Never fails: a lost event does not justify a retry of the work. */
export type Announce = (regarding: Regarding, transitions: readonly Condition[]) => Promise<void>

const CONTROLLER = 'rates.driveaway.dev/operator'
const NOTE_LIMIT = 1024
/**
 * Reasons that are warnings even when the condition is True: lost content, a lost secret, or a server that was restored
 * to an earlier state.
 */
const WARNINGS: ReadonlySet<string> = new Set(Object.keys(EVENT_REASONS))

/** Writes one events.k8s.io/v1 Event for each transition. */
export function announcer(kube: Kube, log: Logger, now: () => Date): Announce {
  return async (regarding, transitions) => {
    for (const transition of transitions) {
      await kube.create(eventOf(regarding, transition, now())).catch((error: unknown) => {
        log.warn({ err: error, object: regarding.metadata.name }, 'could not write an event')
      })
    }
  }
}

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
