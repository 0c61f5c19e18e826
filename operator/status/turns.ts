import type { Queue } from '#runtime/kube/queue.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import { clientKey, rateSetKey, type PublishedKind } from '../loop/work.ts'
import type { Watches } from '../watches.ts'

/**
 * Milliseconds that the statuses of clients wait for the API processes to have loaded them: of 10,000 clients each is then
 * written once, and not once as published and once as loaded.
 */
const LOADING_MS = 1000

export interface TurnsOptions {
  queue: Pick<Queue, 'add' | 'addAfter'>
  watches: Pick<Watches, 'rateSets' | 'clients'>
  processes: () => readonly ApiProcess[]
  /** Whether a process does not serve yet what is published. */
  isAnyBehind: () => boolean
}

/** Gives the statuses of a kind their turn, when something was published and when API processes answer otherwise. */
export interface StatusTurns {
  published(kind: PublishedKind): void
  answered(): void
}

export function statusTurns({ queue, watches, processes, isAnyBehind }: TurnsOptions): StatusTurns {
  let before = { rates: '', clients: '' }
  const due = (kind: PublishedKind) => {
    const waits = kind === 'clients' && processes().length > 0 && isAnyBehind()
    const objects = kind === 'rates' ? watches.rateSets.objects : watches.clients.objects
    const keyOf = kind === 'rates' ? rateSetKey : clientKey
    for (const { metadata } of objects.values())
      if (waits) queue.addAfter(keyOf(metadata.name), LOADING_MS)
      else queue.add(keyOf(metadata.name))
  }
  return {
    published: due,
    answered: () => {
      const now = servedBy(processes())
      for (const kind of ['rates', 'clients'] as const) if (now[kind] !== before[kind]) due(kind)
      before = now
    },
  }
}

/** What the statuses of each kind say of the processes, as a text that is the same while they say the same. */
function servedBy(processes: readonly ApiProcess[]): Record<PublishedKind, string> {
  return {
    rates: JSON.stringify(processes.map(({ url, servesRates, loaded }) => [url, servesRates, loaded?.sets])),
    clients: JSON.stringify(processes.map(({ url, loaded }) => [url, loaded?.clients?.sequence])),
  }
}
