import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** The content of each spec that is still in use: values computed from a content are cached by its identity. */
const contents = new WeakMap<RateSetSpec, RateSetSpec>()

/**
 * The content of a spec: everything except its pin, which names the digest of a content and therefore cannot be part of
 * one. Returns the same object each time, and the spec itself when it has no pin.
 */
export function withoutPin(spec: RateSetSpec): RateSetSpec {
  if (spec.pin === undefined) return spec
  const known = contents.get(spec)
  if (known) return known
  const content = { ...spec }
  delete content.pin
  contents.set(spec, content)
  return content
}

/** Text for people about a set that is pinned at a digest. */
export const pinnedAt = (pin: string): string => `pinned at ${pin.slice(0, 'sha256:'.length + 12)}`
