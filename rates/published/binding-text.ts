import { canonicalJson } from './canonical.ts'
import type { ClientBinding } from './format.ts'

/**
 * Most bytes of one binding as a shard stores it: an eighth of a shard. 500 showroom codes and 40 RSA keys of 4096 bits
 * fit. So several large clients whose names have the same hash still fit into one shard.
 */
export const BINDING_LIMIT = 64 * 1024

const texts = new WeakMap<ClientBinding, string>()

/** The canonical JSON of a binding; cached, because few bindings change from one publication to the next. */
export function canonicalBinding(binding: ClientBinding): string {
  const text = texts.get(binding) ?? canonicalJson(binding)
  texts.set(binding, text)
  return text
}

const sizes = new WeakMap<ClientBinding, number>()

/** Bytes of a binding as a shard stores it: its text is within a JSON string, so quotes are escaped. */
export function storedSize(binding: ClientBinding): number {
  const size = sizes.get(binding) ?? Buffer.byteLength(JSON.stringify(canonicalBinding(binding))) - '""'.length
  sizes.set(binding, size)
  return size
}
