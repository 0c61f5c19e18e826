import { createHash, randomBytes } from 'node:crypto'
import type { V1Secret } from '@kubernetes/client-node'
import { CLIENT_SECRET_TYPE } from '#crds/showroom-client.ts'
import { hashSecret, type HashedSecret } from '#rates/published/hashed-secret.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { FIELD_MANAGER } from '../cluster/cluster.ts'

export const CLIENT_SECRET_KEY = 'clientSecret'

/**
 * On a Secret that an operator generated: the start of the SHA-256 of its text, in hex. The mark of a text that somebody replaced
 * is wrong.
 */
const GENERATED = 'rates.driveaway.dev/generated'

const markOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16)

/** The length of 256 bits in base64url. */
const LEAST_LENGTH = 43

/** The API server and the namespace of the client secrets. */
export interface SecretPlace {
  kube: Kube
  namespace: string
}

/** A fault of a Secret; the caller knows which field names the Secret. */
export interface SecretFault {
  check: 'client-secret'
  message: string
}

/** The text of a secret; undefined when the Secret has none. Decoded once, because every run reads it. */
export function secretText(secret: V1Secret): string | undefined {
  const encoded = secret.data?.[CLIENT_SECRET_KEY]
  if (encoded === undefined) return undefined
  const text = decoded.get(secret) ?? Buffer.from(encoded, 'base64').toString('utf8')
  decoded.set(secret, text)
  return text
}

/** Whether an operator generated the text of this Secret. */
export function isGenerated(secret: V1Secret): boolean {
  const mark = secret.metadata?.annotations?.[GENERATED]
  const text = secretText(secret)
  return mark !== undefined && text !== undefined && mark === markOf(text)
}

const decoded = new WeakMap<V1Secret, string>()

/** The fault of a supplied secret, if any; the message never quotes the secret. */
export function secretFault(name: string, text: string | undefined): SecretFault | undefined {
  if (text === undefined) return { check: 'client-secret', message: `Secret ${name} has no ${CLIENT_SECRET_KEY}` }
  if (text.length >= LEAST_LENGTH) return undefined
  return {
    check: 'client-secret',
    message: `Secret ${name} has ${text.length} characters; expected at least ${LEAST_LENGTH}`,
  }
}

/**
 * The salted hash of one client's secret. The salt is derived from the client's uid and the Secret's name, so each
 * client has another salt, and the same secret gives the same published bytes in every run.
 */
export function hashClientSecret(uid: string, name: string, text: string): HashedSecret {
  return hashSecret(text, saltOf(uid, name))
}

/** The salt of one secret of one client: 128 bits in hex. */
export function saltOf(uid: string, name: string): string {
  return createHash('sha256').update(`${uid}/${name}`, 'utf8').digest('hex').slice(0, 32)
}

/** 256 random bits, in base64url. */
export const newSecretText = (): string => randomBytes(32).toString('base64url')

/**
 * Creates a Secret with this text; returns undefined when a Secret of that name exists, whatever its type. Errors
 * can be logged: the secret is removed from their message, in case an admission webhook quotes the object.
 */
export async function createClientSecret(
  { kube, namespace }: SecretPlace,
  { name, text, timeoutMs }: { name: string; text: string; timeoutMs: number },
) {
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, annotations: { [GENERATED]: markOf(text) } },
    type: CLIENT_SECRET_TYPE,
    data: { [CLIENT_SECRET_KEY]: base64(text) },
  }
  try {
    return await kube.create<V1Secret>(body, { fieldManager: FIELD_MANAGER, timeoutMs })
  } catch (error) {
    if (isConflict(error)) return undefined
    if (error instanceof Error) error.message = withoutText(error.message, text)
    throw error
  }
}

/** The current Secret of that name, if it has the type that the operator reads. */
export async function findClientSecret(
  { kube, namespace }: SecretPlace,
  { name, timeoutMs }: { name: string; timeoutMs: number },
): Promise<V1Secret | undefined> {
  const fieldSelector = `metadata.name=${name},type=${CLIENT_SECRET_TYPE}`
  const path = `/api/v1/namespaces/${namespace}/secrets`
  return (await kube.page<V1Secret>({ path, fieldSelector, limit: 1, timeoutMs })).items[0]
}

const MOST_LETTERS = 500

/** What a log or a status may say of an error: an answer may have the Secret in it, and an error may quote the answer. */
export function shownFault(error: unknown, text?: string): string {
  // The parser quotes some letters of what it was reading.
  if (error instanceof SyntaxError) return 'the answer is not JSON'
  const message = error instanceof Error ? error.message || error.name : String(error)
  return (text ? withoutText(message, text) : message).slice(0, MOST_LETTERS)
}

const withoutText = (message: string, text: string): string =>
  message.replaceAll(base64(text), '...').replaceAll(text, '...')

const base64 = (text: string): string => Buffer.from(text).toString('base64')
