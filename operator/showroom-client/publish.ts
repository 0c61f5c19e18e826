import type { V1ConfigMap } from '@kubernetes/client-node'
import { decodeClients, parseClientsIndex } from '#rates/published/decode.ts'
import { encodeClients, encodeClientsIndex } from '#rates/published/encode-clients.ts'
import { CLIENTS_INDEX, type ClientBinding, type ClientsIndex } from '#rates/published/format.ts'
import type { Wanted } from '../publish/desired.ts'
import { gather, shardTexts, type Cluster, type Gathered, type IndexKind } from '../publish/gather.ts'
import { publishIndex } from '../publish/publish-index.ts'
import { rebuildClientsIndex } from '../publish/rebuild.ts'
import { hashClientSecret } from '../secrets/client-secret.ts'
import type { ClientSecrets } from '../secrets/client-secrets.ts'
import type { SecretHash } from './binding.ts'
import { decideClients, type ClientVerdict } from './decide.ts'
import { recordClients, type ClientsLedger } from './ledger.ts'
import type { ShowroomClientObject } from './object.ts'

const clientsIndex: IndexKind<ClientsIndex> = {
  name: CLIENTS_INDEX,
  parse: parseClientsIndex,
  rebuild: rebuildClientsIndex,
}

export interface ClientsPublisher {
  cluster: Cluster
  /** All ShowroomClients as last seen. */
  objects: () => Iterable<ShowroomClientObject>
  /** All shard ConfigMaps as last seen. */
  shards: () => Iterable<V1ConfigMap>
  secrets: ClientSecrets
  issuer: string
  ledger: ClientsLedger
  now: () => Date
}

export interface ClientsRun {
  isNew: boolean
  index: ClientsIndex
  /** Set where a Secret was refused and is due again. */
  afterMs?: number
}

/** Brings the clients index to what the objects ask for; says whether it was changed. */
export async function publishClients(publisher: ClientsPublisher): Promise<ClientsRun> {
  const { cluster, ledger, now } = publisher
  const gathered = await gather(cluster, clientsIndex, publisher.shards())
  const published = publishedBindings(gathered)
  const verdicts = await decideAll(publisher, published)
  const wanted = wantedClients(verdicts, gathered.nextSequence)
  const done = await publishIndex({ cluster, wanted, gathered, now: now() })
  const { isNew, index } = done
  recordClients(ledger, { verdicts, published, index })
  await done.prune()
  const afterMs = publisher.secrets.retryAfterMs()
  return { isNew, index, ...(afterMs !== undefined && { afterMs }) }
}

async function decideAll(publisher: ClientsPublisher, published: ReadonlyMap<string, ClientBinding>) {
  const { secrets, issuer } = publisher
  const clients = [...publisher.objects()]
  await secrets.ensure(
    clients.flatMap(({ spec }) => spec.credentials.flatMap(({ secretRef }) => secretRef?.name ?? [])),
  )
  const secretHash: SecretHash = ({ metadata }, name) => {
    const text = secrets.fault(name) ? undefined : secrets.text(name)
    return text === undefined ? undefined : hashClientSecret(metadata.uid, name, text)
  }
  return decideClients(clients, published, { issuer, secretHash, secretFault: secrets.fault })
}

/** The bindings read back from the shards; none where they are damaged, so that no right outlives its proof. */
function publishedBindings({ index, shards }: Gathered<ClientsIndex>): ReadonlyMap<string, ClientBinding> {
  try {
    return index ? decodeClients(index, shardTexts(shards)) : new Map()
  } catch {
    return new Map()
  }
}

function wantedClients(verdicts: readonly ClientVerdict[], sequence: number): Wanted<ClientsIndex> {
  const { shards } = encodeClients(verdicts.flatMap(({ binding }) => binding ?? []))
  return { index: encodeClientsIndex(shards, sequence), shards }
}
