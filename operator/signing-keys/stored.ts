import type { KubernetesObject, V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { PUBLISHED_LABEL, SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { encodePublicKeys, KEYS_KEY, parsePublicKeys, PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { FIELD_MANAGER, type Cluster } from '../cluster/cluster.ts'
import { isLost, type SigningKey } from './ring.ts'
import type { RefusedKeys } from './tell-refused.ts'
import { isUsablePrivate, isUsablePublic, sorted } from './usable.ts'

const SECRET_TYPE = 'Opaque'

/** One of the two objects that the keys are in, as it was read. */
interface Stored {
  keys: readonly SigningKey[]
  /** Undefined where it does not exist, or cannot be read as keys. */
  text: string | undefined
  metadata: KubernetesObject['metadata']
  /** The server lets nobody write over it: it can only be replaced. */
  isFixed: boolean
}

/** The signing keys as they are stored: the private ones in a Secret, all public halves in a ConfigMap. */
export interface StoredKeys {
  secret: Stored
  published: Stored
}

export interface Reading {
  now: Date
  /** Told of each object with keys that are left out. */
  onRefused: (refused: RefusedKeys) => Promise<void>
}

/**
 * What can be used of both objects. What is damaged counts as lost: waiting for it to heal would stop the rotation. The
 * Secret is read second: a next key that the ConfigMap has and an earlier Secret lacks would count as lost.
 */
export async function readStored(cluster: Cluster, { now, onRefused }: Reading): Promise<StoredKeys> {
  const published = await cluster.kube.get<V1ConfigMap>(configMapOf(cluster))
  const secret = await cluster.kube.get<V1Secret>(secretOf(cluster))
  const encoded = secret?.data?.[KEYS_KEY]
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
  const own = read(secret, text, (json) => ownKeys(json, now))
  const shown = read(published, published?.data?.[KEYS_KEY], (json) => shownKeys(json, now))
  if (own.refused) await onRefused({ ...namesOf('Secret', SIGNING_KEYS_SECRET, secret), places: own.refused })
  if (shown.refused) await onRefused({ ...namesOf('ConfigMap', PUBLIC_KEYS, published), places: shown.refused })
  return { secret: own.stored, published: shown.stored }
}

const namesOf = (kind: RefusedKeys['kind'], name: string, object: KubernetesObject | undefined) => ({
  kind,
  name,
  uid: object?.metadata?.uid ?? '',
})

type Sorted = ReturnType<typeof sorted>

const ownKeys = (text: string, now: Date): Sorted =>
  sorted((JSON.parse(text) as SigningKeys).keys, (key) => isUsablePrivate(key, now))
const shownKeys = (text: string, now: Date): Sorted =>
  sorted(parsePublicKeys(text).keys, (key) => isUsablePublic(key, now))

function read(object: V1ConfigMap | V1Secret | undefined, text: string | undefined, parse: (text: string) => Sorted) {
  const version = { metadata: object?.metadata, isFixed: isFixed(object) }
  if (text === undefined) return { stored: { keys: [], text, ...version } }
  try {
    const { usable, refused } = parse(text)
    const stored = { keys: usable, text, ...version }
    return refused.length > 0 ? { stored, refused: refused.map((at) => `keys[${at}]`).join(', ') } : { stored }
  } catch {
    // The error could quote the text, and the text may be private.
    return { stored: { keys: [], text: undefined, ...version }, refused: KEYS_KEY }
  }
}

/** Whether somebody made it immutable, or made a Secret of another type: a type never changes. */
function isFixed(object: V1ConfigMap | V1Secret | undefined): boolean {
  if (!object) return false
  return object.immutable === true || ('type' in object && object.type !== SECRET_TYPE)
}

/** Makes both objects so, and says whether the keys changed. The Secret first: a public key without it signs nothing. */
export async function writeStored(cluster: Cluster, stored: StoredKeys, keys: readonly SigningKey[]): Promise<boolean> {
  const secret = JSON.stringify({ keys: keys.filter((key) => !isLost(key)) })
  const published = encodePublicKeys(keys)
  const isNew = secret !== stored.secret.text
  if (isNew) {
    const data = { [KEYS_KEY]: Buffer.from(secret).toString('base64') }
    await write(cluster, { ...secretOf(cluster), type: SECRET_TYPE, data }, stored.secret)
  }
  if (published === stored.published.text) return isNew
  const desired = configMapOf(cluster)
  const metadata = { ...desired.metadata, labels: { [PUBLISHED_LABEL]: 'keys' } }
  await write(cluster, { ...desired, metadata, data: { [KEYS_KEY]: published } }, stored.published)
  return true
}

type Written = ReturnType<typeof secretOf> & { type?: string; data: Record<string, string> }

/**
 * Over the version that was read and no other: two operators must not each make a key of their own current. What is fixed
 * is replaced; API processes verify with the keys that they hold meanwhile.
 */
async function write({ kube }: Cluster, desired: Written, { metadata: read, isFixed }: Stored): Promise<void> {
  const { uid, resourceVersion } = read ?? {}
  const version = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  if (read && !isFixed) {
    const metadata = { ...desired.metadata, ...version }
    return void (await kube.apply({ ...desired, metadata }, { fieldManager: FIELD_MANAGER, force: true }))
  }
  if (read) await kube.delete(desired, version)
  await kube.create(desired, { fieldManager: FIELD_MANAGER })
}

function secretOf({ namespace }: Cluster) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: SIGNING_KEYS_SECRET, namespace } }
}

function configMapOf({ namespace }: Cluster) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: PUBLIC_KEYS, namespace } }
}
