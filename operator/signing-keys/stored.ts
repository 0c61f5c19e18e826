import type { KubernetesObject, V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { PUBLISHED_LABEL, SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { encodePublicKeys, KEYS_KEY, parsePublicKeys, PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import type { Logger } from '#runtime/log.ts'
import { FIELD_MANAGER } from '../publish/apply.ts'
import type { Cluster } from '../publish/gather.ts'
import { isLost, type SigningKey } from './ring.ts'

/** One of the two objects that the keys are in, as it was read. */
interface Stored {
  keys: readonly SigningKey[]
  /** Undefined where it does not exist, or cannot be read as keys. */
  text: string | undefined
  metadata: KubernetesObject['metadata']
}

/** The signing keys as they are stored: the private ones in a Secret, all public halves in a ConfigMap. */
export interface StoredKeys {
  secret: Stored
  published: Stored
}

/** What can be read of both objects. One that is damaged counts as lost: waiting for it to heal would stop the rotation. */
export async function readStored(cluster: Cluster, log: Logger): Promise<StoredKeys> {
  const [secret, published] = await Promise.all([
    cluster.kube.get<V1Secret>(secretOf(cluster)),
    cluster.kube.get<V1ConfigMap>(configMapOf(cluster)),
  ])
  const encoded = secret?.data?.[KEYS_KEY]
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
  return {
    secret: read(secret, text, { log, parse: (json) => privateKeys(JSON.parse(json) as SigningKeys) }),
    published: read(published, published?.data?.[KEYS_KEY], { log, parse: parsePublicKeys }),
  }
}

function read(
  object: KubernetesObject | undefined,
  text: string | undefined,
  { log, parse }: { log: Logger; parse: (text: string) => SigningKeys },
): Stored {
  const metadata = object?.metadata
  try {
    return { keys: text === undefined ? [] : parse(text).keys, text, metadata }
  } catch {
    // The error could quote the text, and the text may be private.
    log.error({ object: metadata?.name }, 'signing keys that cannot be read are replaced')
    return { keys: [], text: undefined, metadata }
  }
}

function privateKeys(stored: SigningKeys): SigningKeys {
  if (stored.keys.some(isLost)) throw new Error('a signing key without its private half')
  return stored
}

/** Makes both objects so, and says whether the keys changed. The Secret first: a public key without it signs nothing. */
export async function writeStored(cluster: Cluster, stored: StoredKeys, keys: readonly SigningKey[]): Promise<boolean> {
  const secret = JSON.stringify({ keys: keys.filter((key) => !isLost(key)) })
  const published = encodePublicKeys(keys)
  const isNew = secret !== stored.secret.text
  if (isNew) {
    const data = { [KEYS_KEY]: Buffer.from(secret).toString('base64') }
    await write(cluster, { ...secretOf(cluster), type: 'Opaque', data }, stored.secret)
  }
  if (published === stored.published.text) return isNew
  const wanted = configMapOf(cluster)
  const metadata = { ...wanted.metadata, labels: { [PUBLISHED_LABEL]: 'keys' } }
  await write(cluster, { ...wanted, metadata, data: { [KEYS_KEY]: published } }, stored.published)
  return true
}

type Written = ReturnType<typeof secretOf> & { type?: string; data: Record<string, string> }

/** Over the version that was read and no other: two operators must not each make a key of their own current. */
async function write({ kube }: Cluster, wanted: Written, { metadata: read }: Stored): Promise<void> {
  if (!read) return void (await kube.create(wanted, { fieldManager: FIELD_MANAGER }))
  const { uid, resourceVersion } = read
  const metadata = { ...wanted.metadata, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  await kube.apply({ ...wanted, metadata }, { fieldManager: FIELD_MANAGER, force: true })
}

function secretOf({ namespace }: Cluster) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: SIGNING_KEYS_SECRET, namespace } }
}

function configMapOf({ namespace }: Cluster) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: PUBLIC_KEYS, namespace } }
}
