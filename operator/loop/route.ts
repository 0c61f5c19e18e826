import { isDeepStrictEqual } from 'node:util'
import type { V1Secret } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { CLIENTS_INDEX, RATES_INDEX, type PublishedKind } from '#rates/published/format.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import type { Queue } from '#runtime/kube/queue.ts'
import { isWritten, type WrittenIndex } from '../publish/apply.ts'
import type { RateSetObject } from '../rate-set/object.ts'
import { identityOf } from '../showroom-client/identity.ts'
import { isBeingDeleted, type ShowroomClientObject } from '../showroom-client/object.ts'
import { takesRightsAway } from '../showroom-client/revocations.ts'
import type { Change, OnChange, Watches } from './watches.ts'
import { clientKey, PUBLISH_CLIENTS, publicationKey, rateSetKey, SIGNING_KEYS } from './keys.ts'

export interface RouteOptions {
  publications: Pick<Queue, 'add' | 'addAfter'>
  statuses: Pick<Queue, 'add'>
  chores: Pick<Queue, 'add'>
  /** Told of each change that takes a right away, before it is queued. */
  onRevocation?: () => void
  /** Told of each client whose object says something else. */
  onClientChange?: ((name: string) => void) | undefined
  /** Milliseconds that changes of a kind are gathered before they are published. */
  debounceMs: (kind: PublishedKind) => number
  /** What is there now: changes are judged by what was there before. */
  watches: Pick<Watches, 'rateSets' | 'clients' | 'clientSecrets'>
  /** What this process published last. */
  ledgers: Readonly<Record<PublishedKind, { written?: WrittenIndex }>>
}

/**
 * Sends each change to the keys that it concerns. A publication waits `debounceMs` of its kind for more changes; one that
 * takes a right away waits for nothing and goes first.
 */
export function router(options: RouteOptions): OnChange {
  const { publications, statuses, chores, debounceMs, watches, onRevocation, onClientChange } = options
  const rateSets = remembered(watches.rateSets.objects.values())
  const clients = remembered(watches.clients.objects.values())
  const secrets = remembered(watches.clientSecrets.objects.values())
  const publish = (kind: PublishedKind) => publications.addAfter(publicationKey(kind), debounceMs(kind))
  const publishClients = (isRevocation: boolean) => {
    if (isRevocation) onRevocation?.()
    return isRevocation ? publications.add(PUBLISH_CLIENTS, { first: true }) : publish('clients')
  }

  const onRateSet = (name: string, object: RateSetObject | undefined) => {
    const isNew = !isSameContent(rateSets.take(name, object), object)
    // Someone is waiting for this status, and nobody for those that a publication changes along with it.
    statuses.add(rateSetKey(name), { first: isNew })
    if (isNew) publish('rates')
  }
  const onClient = (name: string, object: ShowroomClientObject | undefined) => {
    const before = clients.take(name, object)
    const isNew = !isSameContent(before, object)
    statuses.add(clientKey(name), { first: isNew })
    if (isNew) publishClients(isClientRevocation(before, object))
    if (isNew) onClientChange?.(name)
  }
  const onSecret = (name: string, object: V1Secret | undefined) => {
    const before = secrets.take(name, object)
    // A text that is replaced or gone lets nobody in any more; a new Secret takes nothing away.
    if (!before || !isDeepStrictEqual(before.data, object?.data)) publishClients(before !== undefined)
  }
  return (change) => {
    const { watched, name } = change
    if (watched === 'signingKeys' || name === PUBLIC_KEYS) chores.add(SIGNING_KEYS)
    else if (watched === 'rateSets') onRateSet(name, change.object)
    else if (watched === 'clients') onClient(name, change.object)
    else if (watched === 'clientSecrets') onSecret(name, change.object)
    else if (watched === 'published') for (const kind of brokenBy(change, options)) publish(kind)
  }
}

/**
 * The publications whose turn it is after a change of what is published: an index may be broken, a shard only deleted. The
 * index that this process wrote itself is as it should be.
 */
function brokenBy({ name, object }: PublishedChange, { ledgers }: Pick<RouteOptions, 'ledgers'>): PublishedKind[] {
  const kind = name === RATES_INDEX ? 'rates' : name === CLIENTS_INDEX ? 'clients' : undefined
  if (kind) return object && isWritten(object, ledgers[kind].written) ? [] : [kind]
  return object ? [] : ['rates', 'clients']
}

type PublishedChange = Extract<Change, { watched: 'published' }>

/** The objects of one kind as the last change left them. */
function remembered<T extends { metadata?: { name?: string } }>(objects: Iterable<T>) {
  const byName = new Map([...objects].map((object) => [object.metadata?.name ?? '', object]))
  return {
    /** Remembers the object, or that there is none, and returns what was there before. */
    take(name: string, object: T | undefined): T | undefined {
      const before = byName.get(name)
      if (object) byName.set(name, object)
      else byName.delete(name)
      return before
    },
  }
}

/** Whether two versions ask for the same: our own status writes come back as changes too. */
function isSameContent(before: RateSetObject | ShowroomClientObject | undefined, now: typeof before): boolean {
  return isDeepStrictEqual(contentOf(before), contentOf(now))
}

function contentOf(object: RateSetObject | ShowroomClientObject | undefined) {
  const { uid, generation, annotations } = object?.metadata ?? {}
  return [uid, generation, annotations?.[ATTESTATION_ANNOTATION], annotations?.[IDENTITY_ANNOTATION]]
}

function isClientRevocation(before: ShowroomClientObject | undefined, now: typeof before): boolean {
  if (!before) return false
  if (before.metadata.uid !== now?.metadata.uid || identityOf(before) !== identityOf(now)) return true
  if (takesRightsAway(before.spec, now.spec)) return true
  return isBeingDeleted(now) && !isBeingDeleted(before)
}
