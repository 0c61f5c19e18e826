import { isDeepStrictEqual } from 'node:util'
import type { V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { CLIENTS_INDEX, HISTORY_SUFFIX, RATES_INDEX, type PublishedKind } from '#rates/published/format.ts'
import { HISTORY_KEY } from '#rates/published/history.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import type { Queue } from '#runtime/kube/queue.ts'
import { isWritten, type WrittenIndex } from '../publish/apply.ts'
import type { RateSetObject } from '../rate-set/object.ts'
import { identityOf } from '../showroom-client/identity.ts'
import { isBeingDeleted, type ShowroomClientObject } from '../showroom-client/object.ts'
import { takesRightsAway } from '../showroom-client/revocations.ts'
import type { ObjectChange, OnChange, Watches } from './watches.ts'
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
  watches: Pick<Watches, 'rateSets' | 'clients' | 'clientSecrets'>
  /** Whether a new Secret is one that this process made. */
  isOwnSecret?: ((secret: V1Secret) => boolean) | undefined
  /** What this process last published. */
  ledgers: Readonly<Record<PublishedKind, { written?: WrittenIndex }>>
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
    const { watched, name } = change
    if (watched === 'signingKeys' || name === PUBLIC_KEYS) chores.add(SIGNING_KEYS)
    else if (watched === 'rateSets') onRateSet(name, change.object)
    else if (watched === 'clients') onClient(name, change.object)
    else if (watched === 'clientSecrets') onSecret(name, change.object)
    else if (watched === 'published') for (const kind of brokenBy(change, options)) publish(kind)
  }
}

/**
 * The publications that a change of a published object makes due: a changed index may be damaged, and somebody may have
 * emptied a history; a shard can only have been deleted. The index that this process wrote itself is correct.
 */
function brokenBy({ name, object }: PublishedChange, { ledgers }: Pick<RouteOptions, 'ledgers'>): PublishedKind[] {
  for (const [kind, index] of INDEXES) {
    if (name === index) return object && isWritten(object, ledgers[kind].written) ? [] : [kind]
    if (name === index + HISTORY_SUFFIX) return object && isHistory(object) ? [] : [kind]
  }
  return object ? [] : ['rates', 'clients']
}

const INDEXES = Object.entries({ rates: RATES_INDEX, clients: CLIENTS_INDEX }) as [PublishedKind, string][]

/** Whether a history can be read at all; what it says is compared when the next publication reads it. */
function isHistory({ data }: V1ConfigMap): boolean {
  try {
    return typeof JSON.parse(data?.[HISTORY_KEY] ?? '') === 'object'
  } catch {
    return false
  }
}

type PublishedChange = Extract<ObjectChange, { watched: 'published' }>

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
