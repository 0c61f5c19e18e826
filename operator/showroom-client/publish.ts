import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { DecodeClients } from '#rates/published/decode-clients.ts'
import { parseClientsIndex } from '#rates/published/parse-index.ts'
import { encodeClients, shardOfClient } from '#rates/published/encode-clients.ts'
import { CLIENTS_INDEX, FORMAT_VERSION, type ClientBinding, type ClientsIndex } from '#rates/published/format.ts'
import { API_VERSION, type Cluster } from '../cluster/cluster.ts'
import type { WrittenIndex } from '../publish/apply.ts'
import type { ChooseFormat } from '../publish/desired.ts'
import { gatherInPlace } from '../publish/make-places.ts'
import { gather, shardTexts, type Gathered, type IndexKind } from '../publish/gather.ts'
import { isRepaired, publishIndex, tidied, type IndexRun } from '../publish/publish-index.ts'
import { publishAllBut, type RefusedShards } from '../publish/refused-shards.ts'
import { rebuildClientsIndex } from '../publish/rebuild.ts'
import { clientsFromShards } from '../publish/rebuild-from-shards.ts'
import {
  computeFresh,
  versionsOf,
  type Computed,
  type Freshness,
  type Input,
  type ListAhead,
} from '../publish/sources.ts'
import { hashClientSecret } from '../secrets/client-secret.ts'
import type { ClientSecrets } from '../secrets/client-secrets.ts'
import type { SecretHash } from './binding.ts'
import type { RemadeSecret } from './remade.ts'
import { decideClients, type ClientVerdict } from './decide.ts'
import { recordClients, type ClientsLedger } from './ledger.ts'
import { secretNames, type Credential, type ShowroomClientObject } from './object.ts'
import { identityOf } from './identity.ts'
import { heldBack, withoutRefused } from './refused.ts'
import type { Revocations } from './revocations.ts'
import { withinShards } from './shard-room.ts'

const AT_ONCE_MS = 1

const clientsIndex: IndexKind<ClientsIndex> = {
  name: CLIENTS_INDEX,
  label: 'clients',
  parse: parseClientsIndex,
  rebuild: rebuildClientsIndex,
  fromShards: clientsFromShards,
}

export interface ClientsPublisher {
  cluster: Cluster
  /** All ShowroomClients in the cache. */
  objects: () => Iterable<ShowroomClientObject>
  /** All shard ConfigMaps in the cache. */
  shards: () => Iterable<V1ConfigMap>
  secrets: ClientSecrets
  issuer: string
  /** Reads published bindings and keeps what it read; each term of leadership has its own. */
  decode: DecodeClients
  ledger: ClientsLedger
  /** Pending removals of rights, which must not wait for the rest of a run. */
  revocations?: Pick<Revocations, 'isWaiting' | 'waits' | 'read'>
  /** Called for each client whose Secret was missing and was created again: the old secret is refused. */
  onRemade?: (remade: RemadeSecret) => Promise<void>
  /** Called for each of these before any of them is told of. */
  noteRemade?: (remade: RemadeSecret) => void
  now: () => Date
  /** Called at once with the index in force, which the ledger describes from then on. */
  onInForce?: (index: ClientsIndex) => void
  /** Chooses the format in which to replace the current index; by default this program's own. */
  format?: ChooseFormat
  /** What is needed to know that the caches are current; without it they are trusted. */
  freshness?: Omit<Freshness, 'kube'>
}

/** Brings the clients index to what the objects require; returns whether a release was made. */
export async function publishClients(publisher: ClientsPublisher): Promise<IndexRun<ClientsIndex>> {
  const { run, refused } = await publishAllBut((withheld) => publishAccepted(publisher, withheld))
  publisher.ledger.refused = refused
  return run
}

async function publishAccepted(publisher: ClientsPublisher, refused: RefusedShards): Promise<IndexRun<ClientsIndex>> {
  const { cluster, ledger, now, freshness = {} } = publisher
  const fresh = { kube: cluster.kube, sources: [], ...freshness }
  const computed = await computeFresh<ClientsIndex, ComputedClients>(fresh, (listAhead) =>
    computeClients(publisher, { refused, listAhead }),
  )
  const { desired, gathered, verdicts, waiting, isReset } = computed
  const onWritten = (written: WrittenIndex) => void (ledger.written = written)
  const done = await publishIndex({ cluster, desired, gathered, now: now(), isForced: isReset, onWritten })
  const { isNew, index } = done
  recordClients(ledger, { verdicts, waiting, before: gathered.index, index })
  publisher.onInForce?.(index)
  computed.onPublished?.()
  ledger.remade.wasPublished(verdicts, publisher.noteRemade)
  ledger.remade.tell(publisher.onRemade, publisher.revocations)
  const tidy = await tidied(() => done.prune(publisher.revocations?.isWaiting))
  const afterMs = waiting.size > 0 ? AT_ONCE_MS : publisher.secrets.retryAfterMs()
  return { isNew, index, isRepaired: isRepaired(gathered), ...tidy, ...(afterMs !== undefined && { afterMs }) }
}

interface ComputedClients extends Computed<ClientsIndex> {
  verdicts: readonly ClientVerdict[]
  /** Names of the clients whose Secret is created in the next run. */
  waiting: ReadonlySet<string>
  onPublished: (() => void) | undefined
}

interface Attempt {
  refused: RefusedShards
  listAhead: ListAhead<ClientsIndex>
}

async function computeClients(publisher: ClientsPublisher, { refused, listAhead }: Attempt): Promise<ComputedClients> {
  const { cluster, ledger } = publisher
  const onWritten = (written: WrittenIndex | undefined) => void (ledger.written = written)
  // There is always an index of clients to write. Its place is made before the server is asked for its versions: what others
  // publish later replaces the place, and the write of this operator is refused.
  const gathered = await gatherInPlace({ cluster, name: CLIENTS_INDEX, onWritten }, () =>
    gather(cluster, clientsIndex, publisher.shards(), ledger.index),
  )
  const published = await publishedBindings(publisher, gathered)
  const ahead = (changes: number) => listAhead(gathered, changes)
  const { verdicts: decided, readAt, ...rest } = await decideAll(publisher, published, ahead)
  const formatVersion = publisher.format?.(gathered.index?.formatVersion) ?? FORMAT_VERSION
  const fitting = withinShards(decided, published.byId, gathered.index?.shards.length)
  const bindings = fitting.verdicts.flatMap(({ binding }) => binding ?? [])
  const { shards } = encodeClients(bindings, formatVersion, fitting.count)
  publisher.decode.learn(shards)
  const head = { formatVersion, sequence: gathered.nextSequence, sources: readAt }
  const desired = withoutRefused(shards, head, { refused, index: gathered.index })
  const verdicts = heldBack(fitting.verdicts, published.byId, { refused, count: shards.length })
  const inputs = () => inputsOf(publisher.cluster.namespace, verdicts, published.byId)
  return { ...rest, gathered, verdicts, desired, inputs, readAt }
}

/** The objects of all clients whose binding would change or be removed. */
function inputsOf(
  namespace: string,
  verdicts: readonly ClientVerdict[],
  published: ReadonlyMap<string, ClientBinding>,
): Input[] {
  const judged = new Map(verdicts.map((verdict) => [verdict.client.metadata.name, verdict]))
  const names = new Set([...judged.keys(), ...published.keys()])
  const changed = [...names].filter((name) => judged.get(name)?.binding !== published.get(name))
  return changed.map((name) => ({
    reference: { apiVersion: API_VERSION, kind: 'ShowroomClient', metadata: { name, namespace } },
    isAsStored: (stored) => versionIn(stored) === versionIn(judged.get(name)?.client),
  }))
}

function versionIn(object: KubernetesObject | undefined): string {
  const { uid, generation, annotations } = object?.metadata ?? {}
  return `${uid} ${generation} ${annotations?.[IDENTITY_ANNOTATION]}`
}

/**
 * Decides on all clients. Thousands of Secrets may have to be created or verified, and a suspension must not wait for them:
 * clients without a Secret are left to the next run, and the objects are read only after Secrets were created.
 */
async function decideAll(
  publisher: ClientsPublisher,
  { byId, isLost }: Published,
  listAhead: (changes: number) => Promise<void> | undefined,
) {
  const { secrets, issuer, revocations, ledger } = publisher
  const names = [...publisher.objects()].flatMap(secretNames)
  let isLeft = false
  const isOvertaken = () => isLeft || revocations?.isWaiting() === true
  const listed = isOvertaken() ? undefined : listAhead(names.filter(secrets.isToBeMade).length)
  const isAtRest = secrets.isAtRest?.() ?? true
  const ready = Promise.all([secrets.ensure(names, isOvertaken), listed])
  const isLong = listed !== undefined || !isAtRest || names.some((name) => secrets.text(name) === undefined)
  await (revocations && isLong ? Promise.race([ready, revocations.waits()]) : ready)
  // The names may be old by the time at which creations under way end.
  isLeft = true
  const onPublished = revocations?.read()
  const clients = [...publisher.objects()]
  // The index records the versions of exactly these objects, not those of earlier reads.
  const readAt = versionsOf(publisher.freshness)
  const secretHash: SecretHash = (client, name) => {
    const text = secrets.fault(name) ? undefined : secrets.text(name)
    return text === undefined ? undefined : hashClientSecret(identityOf(client), name, text)
  }
  const secretText = (name: string) => secrets.text(name)
  const surroundings = { issuer, isLost, secretHash, secretText, secretFault: secrets.fault }
  const isToBeMade = ({ secretRef }: Credential) => secretRef !== undefined && secrets.isToBeMade(secretRef.name)
  const waiting = new Set(
    clients.filter(({ spec }) => spec.credentials.some(isToBeMade)).map(({ metadata }) => metadata.name),
  )
  const verdicts = decideClients(clients, byId, surroundings)
  ledger.remade.judge(verdicts, byId, secrets)
  return { verdicts, readAt, waiting, onPublished }
}

/**
 * Reads the published bindings from the shards. A damaged shard counts as lost, so that no right is granted without
 * proof.
 */
async function publishedBindings(
  { decode, ledger }: ClientsPublisher,
  { index, shards, isRebuilt, history }: Gathered<ClientsIndex>,
): Promise<Published> {
  // Without an index and a history, only statuses tell which clients were published.
  const isUnknown = isRebuilt && !history
  if (!index) return { byId: new Map(), isLost: () => isUnknown }
  const { byId, lost } = await decode(index, shardTexts(shards))
  const count = index.shards.length
  const isInLostShard = (clientId: string) => lost.size > 0 && lost.has(shardOfClient(clientId, count))
  // The process that published this index still knows what the lost shard contained.
  if (index.sequence === ledger.sequence && index.digest === ledger.digest)
    for (const [name, { binding }] of ledger.records) if (binding && isInLostShard(name)) byId.set(name, binding)
  return { byId, isLost: (clientId) => isUnknown || isInLostShard(clientId) }
}

interface Published {
  byId: ReadonlyMap<string, ClientBinding>
  isLost: (clientId: string) => boolean
}
