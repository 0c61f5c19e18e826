import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { Logger } from '#runtime/log.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { ringOf } from './ring.ts'
import { isWaitingForProcesses, rotate, untilRotation, type RotationOptions } from './rotate.ts'
import { readStored, writeStored } from './stored.ts'
import type { RefusedKeys } from './tell-refused.ts'

export interface KeyRotation {
  cluster: Cluster
  log: Logger
  /** Called with keys that cannot be used and are replaced. */
  onRefused: (refused: RefusedKeys) => void
  processes: () => readonly ApiProcess[]
  now: () => Date
  options: RotationOptions
}

/** One step of the rotation of signing keys: whether the keys changed, and the milliseconds until the next step. */
export async function reconcileSigningKeys(
  rotation: KeyRotation,
): Promise<{ isNew: boolean; isWaiting: boolean; after: number }> {
  const { cluster, onRefused, processes, now, options } = rotation
  const stored = await readStored(cluster, { now: now(), onRefused })
  const keys = ringOf(stored.secret.keys, stored.published.keys)
  const moment = { now: now(), reported: processes().map(({ loaded }) => loaded?.signingKeys), makeKey: makeSigningKey }
  const desired = await rotate(keys, moment, options)
  const isNew = await writeStored(cluster, stored, desired)
  const isWaiting = isWaitingForProcesses(desired, now(), options)
  return { isNew, isWaiting, after: isNew ? 0 : untilRotation(desired, now(), options) }
}

/** A new private Ed25519 JWK, whose kid is its thumbprint (RFC 7638). */
async function makeSigningKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' }
}
