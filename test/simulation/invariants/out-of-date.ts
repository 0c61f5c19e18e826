import { HISTORY_SUFFIX } from '#rates/published/format.ts'
import { HISTORY_KEY } from '#rates/published/history.ts'
import { NAMESPACE } from '../plan/contents.ts'
import type { Storage } from '../server/storage.ts'

interface Numbered {
  sequence: number
}

/**
 * Whether an index that was created is not the last one, and its history says so. No precondition keeps off a creation that
 * was under way while others published and somebody took their index away; whoever leads puts the last one back.
 */
export function isOutOfDate(storage: Storage, name: string, { sequence }: Numbered): boolean {
  const history = storage.get(`/api/v1/namespaces/${NAMESPACE}/configmaps`, name + HISTORY_SUFFIX)?.object
  try {
    const text = ((history?.['data'] ?? {}) as Record<string, string>)[HISTORY_KEY] ?? ''
    return sequence < (JSON.parse(text) as { index: Numbered }).index.sequence
  } catch {
    return false
  }
}
