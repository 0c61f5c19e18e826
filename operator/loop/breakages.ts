import type { V1ConfigMap } from '@kubernetes/client-node'
import { CLIENTS_INDEX, HISTORY_SUFFIX, RATES_INDEX, type PublishedKind } from '#rates/published/format.ts'
import { HISTORY_KEY } from '#rates/published/history.ts'
import { isWritten, type WrittenIndex } from '../publish/apply.ts'

/** What this process last published of each kind. */
export type Ledgers = Readonly<Record<PublishedKind, { written?: WrittenIndex }>>

const INDEXES = Object.entries({ rates: RATES_INDEX, clients: CLIENTS_INDEX }) as [PublishedKind, string][]

/**
 * Returns the publications that a change of a published object makes due. A changed index may be damaged, unless this process
 * wrote it; somebody may have emptied a history; a shard can only have been deleted, or made anew with other content
 * while the watch was behind.
 */
export function breakages(ledgers: Ledgers, published: Iterable<V1ConfigMap>) {
  const last = new Map([...published].map((object) => [object.metadata?.name ?? '', object]))
  return (name: string, object: V1ConfigMap | undefined): PublishedKind[] => {
    const before = last.get(name)
    if (object) last.set(name, object)
    else last.delete(name)
    for (const [kind, index] of INDEXES) {
      if (name === index) return object && isWritten(object, ledgers[kind].written) ? [] : [kind]
      if (name === index + HISTORY_SUFFIX) return isDamaged(before, object) ? [kind] : []
    }
    return !object || isAnother(before, object) ? ['rates', 'clients'] : []
  }
}

const isAnother = (before: V1ConfigMap | undefined, now: V1ConfigMap): boolean =>
  before !== undefined && before.metadata?.uid !== now.metadata?.uid

/** An operator makes a history empty at first, and that one is no damage. */
const isDamaged = (before: V1ConfigMap | undefined, now: V1ConfigMap | undefined): boolean =>
  !now || (before !== undefined && isHistory(before) && !isHistory(now))

/** Whether a history can be read at all; what it says is compared when the next publication reads it. */
function isHistory({ data }: V1ConfigMap): boolean {
  try {
    const history: unknown = JSON.parse(data?.[HISTORY_KEY] ?? '')
    return typeof history === 'object' && history !== null && !Array.isArray(history)
  } catch {
    return false
  }
}
