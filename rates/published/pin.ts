import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** Contents of specs that are still in use: what is computed of a content is remembered by its identity. */
const contents = new WeakMap<RateSetSpec, RateSetSpec>()

/**
 * The content of a spec: everything but its pin, which names the digest of a content and so cannot be part of one. The
 * same object each time, and the spec itself where it has no pin.
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

/** A set that is held at a digest, in words for a person. */
export const pinnedAt = (pin: string): string => `pinned at ${pin.slice(0, 'sha256:'.length + 12)}`
