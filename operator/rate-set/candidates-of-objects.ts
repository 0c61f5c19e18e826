import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import type { RatesIndex } from '#rates/published/format.ts'
import { withoutPin } from '#rates/published/pin.ts'
import type { RequestedSet } from './decide.ts'
import type { LastGood } from './last-good.ts'
import { placeholderOf } from './lost.ts'
import type { RateSetObject } from './object.ts'

/** The candidates for every set that has an object or is published, and what its object asks for. */
export function candidatesOf(
  objects: readonly RateSetObject[],
  good: LastGood,
  index: RatesIndex | undefined,
): RequestedSet[] {
  const byName = new Map(objects.map((object) => [object.metadata.name, object]))
  const digests = new Map(index?.sets.map(({ name, digest }) => [name, digest]))
  return [...new Set([...byName.keys(), ...good.specs.keys(), ...good.lost.keys()])].map((name) => {
    const publishedDigest = digests.get(name)
    return {
      name,
      ...ofObject(byName.get(name)),
      ...publishedOf(name, good, index),
      ...(publishedDigest && { publishedDigest }),
    }
  })
}

function ofObject({ spec, metadata }: Partial<RateSetObject> = {}): Omit<RequestedSet, 'name'> {
  const attestation = metadata?.annotations?.[ATTESTATION_ANNOTATION]
  if (!spec) return { withdrawn: false }
  const { pin, withdrawn } = spec
  const content = { spec: withoutPin(spec), withdrawn: withdrawn === true }
  return { ...content, ...(pin && { pin }), ...(attestation && { attestation }) }
}

function publishedOf(
  name: string,
  { specs, lost }: LastGood,
  index: RatesIndex | undefined,
): Omit<RequestedSet, 'name'> {
  const entry = lost.get(name)
  const lastGood = entry && index ? placeholderOf(entry, index) : specs.get(name)
  return { ...(lastGood && { lastGood }), ...(entry && { lostDigest: entry.digest }) }
}
