import { isDeepStrictEqual } from 'node:util'
import type { StoredObject } from './object.ts'
import { refusal } from './refusal.ts'

const MOST_ANNOTATION_BYTES = 256 * 1024
const MOST_DATA_BYTES = 1024 * 1024
/** Of etcd: what does not fit into one request to it cannot be stored. */
const MOST_REQUEST_BYTES = 1.5 * 1024 * 1024

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Throws the server's refusal of an object that it would not store over `before`. */
export function checkStorable(object: StoredObject, before: StoredObject | undefined, bytes: number): void {
  checkName(object)
  checkAnnotations(object)
  if (object.kind === 'ConfigMap') checkConfigMap(object, before)
  if (object.kind === 'Secret' && before && before['type'] !== object['type'])
    throw refusal(422, 'type: Invalid value: field is immutable')
  if (bytes > MOST_REQUEST_BYTES)
    throw refusal(413, 'Request entity too large: limit is 3145728', 'RequestEntityTooLarge')
}

function checkName({ metadata }: StoredObject): void {
  const { name } = metadata
  if (name.length > 253 || !SUBDOMAIN.test(name)) throw refusal(422, `metadata.name: Invalid value: "${name}"`)
}

function checkAnnotations({ metadata }: StoredObject): void {
  let bytes = 0
  for (const [key, value] of Object.entries(metadata.annotations ?? {}))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  if (bytes > MOST_ANNOTATION_BYTES)
    throw refusal(422, `metadata.annotations: Too long: may not be more than ${MOST_ANNOTATION_BYTES} bytes`)
}

function checkConfigMap(object: StoredObject, before: StoredObject | undefined): void {
  let bytes = 0
  for (const value of Object.values((object['data'] ?? {}) as Record<string, string>)) bytes += Buffer.byteLength(value)
  if (bytes > MOST_DATA_BYTES) throw refusal(422, `[]: Too long: may not be more than ${MOST_DATA_BYTES} bytes`)
  if (before?.['immutable'] !== true) return
  if (object['immutable'] !== true)
    throw refusal(422, 'immutable: Forbidden: field is immutable when `immutable` is set')
  if (!isDeepStrictEqual(object['data'], before['data']))
    throw refusal(422, 'data: Forbidden: field is immutable when `immutable` is set')
}
