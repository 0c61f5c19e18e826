import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * Canonical JSON (RFC 8785) of a value; throws on NaN, lone surrogates, cycles and values that JSON cannot represent.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('the value has no JSON form')
  return text
}

/** `sha256:<hex>` of a text encoded as UTF-8. */
export function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`
}

/** `sha256:<hex>` of the canonical JSON of a value. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value))
}
