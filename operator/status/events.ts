import { hostname } from 'node:os'
import { EVENT_REASONS } from '#crds/conditions.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import type { Condition } from './conditions.ts'

/** What an event is about. */
export interface Regarding {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace: string; uid: string; resourceVersion?: string }
}

/** Tells people of transitions; never fails, because an event is not worth a retry of the work. */
export type Announce = (regarding: Regarding, transitions: readonly Condition[]) => Promise<void>

const CONTROLLER = 'rates.driveaway.dev/operator'
const NOTE_LIMIT = 1024
/** What somebody has to know although a condition is True: content or a secret is gone, or the server went back in time. */
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
    // MicroTime: the API server takes exactly six decimals.
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
