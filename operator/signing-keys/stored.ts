import type { KubernetesObject, V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { PUBLISHED_LABEL, SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { encodePublicKeys, KEYS_KEY, parsePublicKeys, PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { FIELD_MANAGER, type Cluster } from '../cluster/cluster.ts'
import { isLost, type SigningKey } from './ring.ts'
import type { RefusedKeys } from './tell-refused.ts'
import { isUsablePrivate, isUsablePublic, sorted } from './usable.ts'

const SECRET_TYPE = 'Opaque'

/** One of the two objects that hold the keys, as last read. */
interface Stored {
  keys: readonly SigningKey[]
  /** Undefined when the object does not exist or cannot be parsed. */
  text: string | undefined
  metadata: KubernetesObject['metadata']
  /** Whether the object is immutable or has another type: it can only be deleted and created again. */
  isFixed: boolean
}

/** The stored signing keys: private keys in a Secret, the public halves of all keys in a ConfigMap. */
export interface StoredKeys {
  secret: Stored
  published: Stored
}

export interface ReadingOptions {
  now: Date
  /** Called for each object that contains unusable keys. */
  onRefused: (refused: RefusedKeys) => void
}

/**
 * Reads the usable keys of both objects. An unusable key counts as lost, because waiting for its repair would stop the
 * rotation. The Secret is read second: read first, it could lack a next key that the ConfigMap already has, and that
 * key would count as lost.
 */
export async function readStored(cluster: Cluster, { now, onRefused }: ReadingOptions): Promise<StoredKeys> {
  const published = await cluster.kube.get<V1ConfigMap>(configMapOf(cluster))
  const secret = await cluster.kube.get<V1Secret>(secretOf(cluster))
  const encoded = secret?.data?.[KEYS_KEY]
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
  const own = read(secret, text, (json) => ownKeys(json, now))
  const shown = read(published, published?.data?.[KEYS_KEY], (json) => shownKeys(json, now))
  if (own.refused) onRefused({ ...namesOf('Secret', SIGNING_KEYS_SECRET, secret), places: own.refused })
  if (shown.refused) onRefused({ ...namesOf('ConfigMap', PUBLIC_KEYS, published), places: shown.refused })
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
    // The error could quote the text, which may contain a private key.
    return { stored: { keys: [], text: undefined, ...version }, refused: KEYS_KEY }
  }
}

/** Whether the object cannot be updated: it is immutable, or a Secret of another type (a type never changes). */
function isFixed(object: V1ConfigMap | V1Secret | undefined): boolean {
  if (!object) return false
  return object.immutable === true || ('type' in object && object.type !== SECRET_TYPE)
}

/**
 * Writes both objects; returns whether the keys changed. The Secret is written first: a public key without its private
 * half signs nothing.
 */
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
 * Writes only over the version that was read: two operators must not each make a key of their own current. An object
 * that cannot be updated is replaced; meanwhile API processes verify with the keys that they have loaded.
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
