import { canonicalJson } from './canonical.ts'
import type { ClientBinding } from './format.ts'

/**
 * Bytes that one binding may take in a shard as it is stored, an eighth of what a shard may hold: 500 showroom codes and 40
 * RSA keys of 4096 bits are less. So a few large clients whose names have the same hash are still in one shard.
 */
export const BINDING_LIMIT = 64 * 1024

const texts = new WeakMap<ClientBinding, string>()

/** The canonical JSON of a binding; hardly any binding of a run is new. */
export function canonicalBinding(binding: ClientBinding): string {
  const text = texts.get(binding) ?? canonicalJson(binding)
  texts.set(binding, text)
  return text
}

const sizes = new WeakMap<ClientBinding, number>()

/** Bytes that a binding takes in a shard as it is stored: its text is a JSON string there, and quotes are escaped. */
export function storedSize(binding: ClientBinding): number {
  const size = sizes.get(binding) ?? Buffer.byteLength(JSON.stringify(canonicalBinding(binding))) - '""'.length
  sizes.set(binding, size)
  return size
}
