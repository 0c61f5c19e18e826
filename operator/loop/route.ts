import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { CLIENTS_INDEX, RATES_INDEX } from '#rates/published/format.ts'
import type { Queue } from '#runtime/kube/queue.ts'
import { clientKey, PUBLISH_CLIENTS, PUBLISH_RATES, rateSetKey, type PublishedKind } from './work.ts'
import type { Change, OnChange } from '../watches.ts'

/** Sends each change to the keys that it concerns; a publication waits `debounceMs` of its kind for more. */
export function router(queue: Pick<Queue, 'add' | 'addAfter'>, debounceMs: (kind: PublishedKind) => number): OnChange {
  const specs = new Map<string, string>()
  const publish = (kind: PublishedKind) =>
    queue.addAfter(kind === 'rates' ? PUBLISH_RATES : PUBLISH_CLIENTS, debounceMs(kind))

  // Our own status writes come back here too: only a new generation or attestation asks for a publication.
  const isNewSpec = ({ watched, name, object }: Change) => {
    const key = `${watched}/${name}`
    const { uid, generation, annotations } = object?.metadata ?? {}
    const version = `${uid} ${generation} ${annotations?.[ATTESTATION_ANNOTATION]}`
    if (object && specs.get(key) === version) return false
    specs.set(key, version)
    return true
  }
  return (change) => {
    const { watched, name } = change
    if (watched === 'rateSets' || watched === 'clients') {
      const isRates = watched === 'rateSets'
      queue.add(isRates ? rateSetKey(name) : clientKey(name))
      if (isNewSpec(change)) publish(isRates ? 'rates' : 'clients')
    } else if (watched === 'clientSecrets') publish('clients')
    else for (const kind of publications(change)) publish(kind)
  }
}

/** Whose turn it is after a change of what is published: an index may have been broken, a shard only taken away. */
function publications({ name, object }: Change): PublishedKind[] {
  if (name === RATES_INDEX) return ['rates']
  if (name === CLIENTS_INDEX) return ['clients']
  return object ? [] : ['rates', 'clients']
}
