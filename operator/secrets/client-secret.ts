import { createHash, randomBytes } from 'node:crypto'
import type { V1Secret } from '@kubernetes/client-node'
import { CLIENT_SECRET_TYPE } from '#crds/showroom-client.ts'
import { hashSecret, type HashedSecret } from '#rates/published/hashed-secret.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { FIELD_MANAGER } from '../cluster/cluster.ts'

export const CLIENT_SECRET_KEY = 'clientSecret'

/** base64url of 256 bits. */
const LEAST_LENGTH = 43

/** Where client secrets are. */
export interface SecretPlace {
  kube: Kube
  namespace: string
}

/** What is wrong with a Secret; whoever names it knows the place. */
export interface SecretFault {
  check: 'client-secret'
  message: string
}

/** A secret's text, or undefined when the Secret does not hold one; decoded once, because every run asks for it. */
export function secretText(secret: V1Secret): string | undefined {
  const encoded = secret.data?.[CLIENT_SECRET_KEY]
  if (encoded === undefined) return undefined
  const text = decoded.get(secret) ?? Buffer.from(encoded, 'base64').toString('utf8')
  decoded.set(secret, text)
  return text
}

const decoded = new WeakMap<V1Secret, string>()

/** What is wrong with the text of a supplied secret; never says the text itself. */
export function secretFault(name: string, text: string | undefined): SecretFault | undefined {
  if (text === undefined) return { check: 'client-secret', message: `Secret ${name} has no ${CLIENT_SECRET_KEY}` }
  if (text.length >= LEAST_LENGTH) return undefined
  return {
    check: 'client-secret',
    message: `Secret ${name} has ${text.length} characters; expected at least ${LEAST_LENGTH}`,
  }
}

/**
 * The salted hash of one client's secret. The salt comes from the client's uid and the Secret's name: it differs for
 * every client, and the same secret gives the same published bytes in every run.
 */
export function hashClientSecret(uid: string, name: string, text: string): HashedSecret {
  return hashSecret(text, saltOf(uid, name))
}

/** The salt that belongs to one secret of one client, hex, 128 bits. */
export function saltOf(uid: string, name: string): string {
  return createHash('sha256').update(`${uid}/${name}`, 'utf8').digest('hex').slice(0, 32)
}

/**
 * Makes a Secret of 256 random bits; undefined when one of that name is there already, of whatever type. What it throws
 * may be shown: it holds no secret, whatever an admission webhook writes into its answer.
 */
export async function createClientSecret({ kube, namespace }: SecretPlace, name: string, timeoutMs: number) {
  const text = randomBytes(32).toString('base64url')
  const encoded = Buffer.from(text).toString('base64')
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: CLIENT_SECRET_TYPE,
    data: { [CLIENT_SECRET_KEY]: encoded },
  }
  try {
    return await kube.create<V1Secret>(body, { fieldManager: FIELD_MANAGER, timeoutMs })
  } catch (error) {
    if (isConflict(error)) return undefined
    if (error instanceof Error) error.message = error.message.replaceAll(encoded, '...').replaceAll(text, '...')
    throw error
  }
}

/** A Secret of that name as it is now, when it is of the type that is read. */
export async function findClientSecret({ kube, namespace }: SecretPlace, name: string): Promise<V1Secret | undefined> {
  const fieldSelector = `metadata.name=${name},type=${CLIENT_SECRET_TYPE}`
  const path = `/api/v1/namespaces/${namespace}/secrets`
  return (await kube.page<V1Secret>({ path, fieldSelector, limit: 1 })).items[0]
}
