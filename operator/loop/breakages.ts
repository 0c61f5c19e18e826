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
  const uids = new Map([...published].map(({ metadata }) => [metadata?.name ?? '', metadata?.uid]))
  const isOther = (name: string, object: V1ConfigMap | undefined) => {
    const before = uids.get(name)
    if (object) uids.set(name, object.metadata?.uid)
    else uids.delete(name)
    return !object || (before !== undefined && before !== object.metadata?.uid)
  }
  return (name: string, object: V1ConfigMap | undefined): PublishedKind[] => {
    for (const [kind, index] of INDEXES) {
      if (name === index) return object && isWritten(object, ledgers[kind].written) ? [] : [kind]
      if (name === index + HISTORY_SUFFIX) return object && isHistory(object) ? [] : [kind]
    }
    return isOther(name, object) ? ['rates', 'clients'] : []
  }
}

/** Whether a history can be read at all; what it says is compared when the next publication reads it. */
function isHistory({ data }: V1ConfigMap): boolean {
  try {
    return typeof JSON.parse(data?.[HISTORY_KEY] ?? '') === 'object'
  } catch {
    return false
  }
}
