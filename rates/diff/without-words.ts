import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { digestOf } from '../published/canonical.ts'
import { withoutPin } from '../published/pin.ts'

/** The keys of the grammar that hold texts for people, or the source of a figure: no price can depend on them. */
const WORDS = new Set([
  ...['description', 'label', 'note', 'reason', 'warning', 'sources', 'examples', 'conflicts'],
  ...['verifiedOn', 'reviewBy', 'componentType'],
])

/** Digest of a rate set without its texts: two sets with the same digest price everything alike. */
export function digestWithoutWords(spec: RateSetSpec): string {
  const rules = spec.rules.map(({ name: _, ...rule }) => rule)
  return digestOf(stripped({ ...withoutPin(spec), rules }))
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !WORDS.has(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, stripped(inner)]))
}
