import type { V1Secret } from '@kubernetes/client-node'
import { SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import { FIELD_MANAGER } from '../publish/apply.ts'
import type { Cluster } from '../publish/gather.ts'
import { makeSigningKey } from './make-key.ts'
import { isWaitingForProcesses, rotate, untilRotation, type RotationOptions, type SigningKey } from './rotate.ts'

export const KEYS_KEY = 'keys.json'

export interface KeyRotation {
  cluster: Cluster
  processes: () => readonly ApiProcess[]
  now: () => Date
  options: RotationOptions
}

/** One step of the signing keys; says whether they changed, and when to look again in milliseconds. */
export async function reconcileSigningKeys(
  rotation: KeyRotation,
): Promise<{ isNew: boolean; isWaiting: boolean; after: number }> {
  const { cluster, processes, now, options } = rotation
  const secret = await cluster.kube.get<V1Secret>(reference(cluster))
  const keys = readKeys(secret)
  const moment = { now: now(), held: processes().map(({ loaded }) => loaded?.signingKeys), makeKey: makeSigningKey }
  const wanted = await rotate(keys, moment, options)
  const isNew = wanted !== keys
  if (isNew) await writeKeys(cluster, secret, wanted)
  const isWaiting = isWaitingForProcesses(wanted, now(), options)
  return { isNew, isWaiting, after: isNew ? 0 : untilRotation(wanted, now(), options) }
}

function readKeys(secret: V1Secret | undefined): SigningKey[] {
  const encoded = secret?.data?.[KEYS_KEY]
  if (encoded === undefined) return []
  return (JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')) as SigningKeys).keys
}

/** Over the version that was read and no other: two operators must not each make a key of their own current. */
async function writeKeys(cluster: Cluster, secret: V1Secret | undefined, keys: readonly SigningKey[]): Promise<void> {
  const data = { [KEYS_KEY]: Buffer.from(JSON.stringify({ keys })).toString('base64') }
  const wanted = { ...reference(cluster), type: 'Opaque', data }
  if (!secret) {
    await cluster.kube.create(wanted, { fieldManager: FIELD_MANAGER })
    return
  }
  const { uid, resourceVersion } = secret.metadata ?? {}
  const metadata = { ...wanted.metadata, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  await cluster.kube.apply({ ...wanted, metadata }, { fieldManager: FIELD_MANAGER, force: true })
}

function reference({ namespace }: Cluster) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: SIGNING_KEYS_SECRET, namespace } }
}
