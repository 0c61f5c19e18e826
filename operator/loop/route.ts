import { isDeepStrictEqual } from 'node:util'
import type { V1Secret } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import type { PublishedKind } from '#rates/published/format.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import type { Queue } from '#runtime/kube/queue.ts'
import type { RateSetObject } from '../rate-set/object.ts'
import { identityOf } from '../showroom-client/identity.ts'
import { isBeingDeleted, type ShowroomClientObject } from '../showroom-client/object.ts'
import { takesRightsAway } from '../showroom-client/revocations.ts'
import type { OnChange, Watches } from './watches.ts'
import { breakages, type Ledgers } from './breakages.ts'
import { clientKey, PUBLISH_CLIENTS, publicationKey, rateSetKey, SIGNING_KEYS } from './keys.ts'

export interface RouteOptions {
  publications: Pick<Queue, 'add' | 'addAfter'>
  statuses: Pick<Queue, 'add'>
  chores: Pick<Queue, 'add'>
  /** Called for each change that revokes a right, before it is queued. */
  onRevocation?: () => void
  /** Called for each client whose object has changed. */
  onClientChange?: ((name: string) => void) | undefined
  /** Milliseconds for which changes of a kind are collected before a publication. */
  debounceMs: (kind: PublishedKind) => number
  /** The current objects; a change is compared with what was there before. */
  watches: Pick<Watches, 'rateSets' | 'clients' | 'clientSecrets' | 'published'>
  /** Whether a new Secret is one that this process made. */
  isOwnSecret?: ((secret: V1Secret) => boolean) | undefined
  /** What this process last published. */
  ledgers: Ledgers
}

/**
 * Sends each change to the queue keys that it affects. A publication waits `debounceMs` of its kind for further
 * changes; a change that revokes a right does not wait and goes first.
 */
export function router(options: RouteOptions): OnChange {
  const { publications, statuses, chores, debounceMs, watches, onRevocation, onClientChange } = options
  const rateSets = remembered(watches.rateSets.objects.values())
  const clients = remembered(watches.clients.objects.values())
  const secrets = remembered(watches.clientSecrets.objects.values())
  const brokenBy = breakages(options.ledgers, watches.published.objects.values())
  const publish = (kind: PublishedKind) => publications.addAfter(publicationKey(kind), debounceMs(kind))
  const publishClients = (isRevocation: boolean) => {
    if (isRevocation) onRevocation?.()
    return isRevocation ? publications.add(PUBLISH_CLIENTS, { first: true }) : publish('clients')
  }

  const onRateSet = (name: string, object: RateSetObject | undefined) => {
    const isNew = !isSameContent(rateSets.take(name, object), object)
    // Somebody waits for this status; nobody waits for statuses that only a publication changes.
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
    // A Secret that was replaced or deleted revokes a right; a new Secret revokes nothing.
    if (isNewSecret(before, object, options)) publishClients(before !== undefined)
  }
  return (change) => {
    if (change.watched === 'signingKeys' || change.name === PUBLIC_KEYS) chores.add(SIGNING_KEYS)
    else if (change.watched === 'rateSets') onRateSet(change.name, change.object)
    else if (change.watched === 'clients') onClient(change.name, change.object)
    else if (change.watched === 'clientSecrets') onSecret(change.name, change.object)
    else if (change.watched === 'published') for (const kind of brokenBy(change.name, change.object)) publish(kind)
  }
}

function isNewSecret(before: V1Secret | undefined, now: typeof before, { isOwnSecret }: RouteOptions): boolean {
  if (before) return !isDeepStrictEqual(before.data, now?.data)
  return !now || isOwnSecret?.(now) !== true
}

/** The objects of one kind after the last change. */
function remembered<T extends { metadata?: { name?: string } }>(objects: Iterable<T>) {
  const byName = new Map([...objects].map((object) => [object.metadata?.name ?? '', object]))
  return {
    /** Stores the object, or its absence, and returns the previous one. */
    take(name: string, object: T | undefined): T | undefined {
      const before = byName.get(name)
      if (object) byName.set(name, object)
      else byName.delete(name)
      return before
    },
  }
}

/** Whether two versions ask for the same: our own status writes arrive as changes too. */
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
