import type { PublishedKind } from '#rates/published/format.ts'
import type { Queue } from '#runtime/kube/queue.ts'
import type { Condition } from '../status/conditions.ts'
import { isUnpublished } from '../status/unpublished.ts'
import { statusKey } from './keys.ts'
import type { Watches } from './watches.ts'

export interface DueOptions {
  statuses: Pick<Queue, 'add'>
  watches: Pick<Watches, 'rateSets' | 'clients'>
  /** Whether this environment attests what every process serves. */
  attests: boolean
}

/** Queues the statuses that may change. */
export interface DueStatuses {
  /** A publication run changed its verdict on these objects; the first run of a term judges all. */
  judged(kind: PublishedKind, names: readonly string[]): void
  /** No publication succeeds: the statuses of all objects that wait for one are due. */
  unpublished(kind: PublishedKind): void
  /**
   * The answers of the API processes changed: due are the statuses of contents that are not loaded by all, or not
   * attested yet.
   */
  answered(): void
}

interface WithConditions {
  metadata: { name: string; uid: string; generation: number }
  status?: { observedGeneration: number; conditions: readonly Condition[]; attestation?: string }
}

export function dueStatuses({ statuses, watches, attests }: DueOptions): DueStatuses {
  const objectsOf = (kind: PublishedKind): Iterable<WithConditions> =>
    kind === 'rates' ? watches.rateSets.objects.values() : watches.clients.objects.values()
  const isFirst = { rates: true, clients: true }
  return {
    judged: (kind, names) => {
      const all = isFirst[kind] ? [...objectsOf(kind)].map(({ metadata }) => metadata.name) : names
      // Somebody who changed an object waits for its status; nobody waits for those at the start of a term.
      for (const name of all) statuses.add(statusKey(kind, name), { first: !isFirst[kind] })
      isFirst[kind] = false
    },
    unpublished: (kind) => {
      for (const object of objectsOf(kind))
        if (isUnpublished(object, undefined)) statuses.add(statusKey(kind, object.metadata.name))
    },
    answered: () => {
      for (const kind of ['rates', 'clients'] as const) {
        const isSoaking = ({ status }: WithConditions) => attests && kind === 'rates' && !status?.attestation
        for (const object of objectsOf(kind))
          if (isLoading(object) || isSoaking(object)) statuses.add(statusKey(kind, object.metadata.name))
      }
    },
  }
}

/** Whether a new answer may change `Loaded`; once True, `Loaded` stays True for its generation. */
function isLoading({ metadata, status }: WithConditions): boolean {
  if (status?.observedGeneration !== metadata.generation) return true
  const loaded = status.conditions.find(({ type }) => type === 'Loaded')
  return loaded === undefined || loaded.reason === 'Loading' || loaded.status === 'Unknown'
}
