import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { showRateSets } from '../../../operator/rate-set/metrics.ts'
import type { RateSetObject } from '../../../operator/rate-set/object.ts'
import { inventedSet } from '../invented-set.ts'

const condition = (type: string, status: string) => ({
  ...{
    type,
    status,
    reason: 'Invented',
    message: '',
    observedGeneration: 1,
    lastTransitionTime: '2026-07-01T00:00:00Z',
  },
})

function objectNamed(name: string, reviews: string[], conditions: ReturnType<typeof condition>[]): RateSetObject {
  const spec = inventedSet('AU')
  const [rule] = spec.rules ?? []
  if (!rule) throw new Error('the invented set has no rule')
  const rules = reviews.map((reviewBy) => ({ ...rule, verification: { ...rule.verification, reviewBy } }))
  return { metadata: { name }, spec: { ...spec, rules }, status: { conditions } } as unknown as RateSetObject
}

test('conditions and the first review of every rate set are shown, and forgotten with it', async () => {
  const registry = new Registry()
  const objects = [
    objectNamed('au-fy27', ['2027-06-30', '2026-12-01'], [condition('Ready', 'True'), condition('Loaded', 'False')]),
    objectNamed('au-wa-fy27', ['2027-05-31'], []),
  ]
  showRateSets(
    registry,
    () => objects,
    () => Date.parse('2026-11-23'),
  )
  const shown = await registry.metrics()
  expect(shown).toContain('driveaway_rateset_condition{rateset="au-fy27",condition="Ready",reason="Invented"} 1')
  expect(shown).toContain('driveaway_rateset_condition{rateset="au-fy27",condition="Loaded",reason="Invented"} 0')
  expect(shown).toContain('driveaway_rateset_condition{rateset="au-wa-fy27",condition="Published",reason=""} 0')
  // 1 December 2026, 00:00 UTC.
  expect(shown).toContain('driveaway_rateset_review_by_timestamp_seconds{rateset="au-fy27"} 1796083200')
  objects.shift()
  expect(await registry.metrics()).not.toContain('au-fy27')
})

test('a review counts up to the last day of the year of its set, and not in a set that is withdrawn', async () => {
  const object = objectNamed('au-fy27', ['2027-06-01'], [])
  const reviewed = async (now: string, withdrawn = false) => {
    const registry = new Registry()
    const one = { ...object, spec: { ...object.spec, ...(withdrawn && { withdrawn }) } }
    showRateSets(
      registry,
      () => [one],
      () => Date.parse(now),
    )
    return (await registry.metrics()).includes('review_by_timestamp_seconds{')
  }
  expect(await reviewed('2027-06-30T23:59:59Z')).toBe(true)
  expect(await reviewed('2027-07-01T00:00:00Z')).toBe(false)
  expect(await reviewed('2026-11-23T00:00:00Z', true)).toBe(false)
})

test('a set whose year nobody can read is shown, for the checks refuse it and say so', async () => {
  const registry = new Registry()
  const object = objectNamed('au-fy27', ['2027-06-01'], [])
  showRateSets(registry, () => [{ ...object, spec: { ...object.spec, financialYear: 'next' } }])
  expect(await registry.metrics()).toContain('review_by_timestamp_seconds{rateset="au-fy27"}')
})

test('an emergency is shown with its end, and is gone with it', async () => {
  const registry = new Registry()
  const object = objectNamed('au-fy27', [], [])
  const emergency = { kid: 'emergency-1', reason: 'Incident 4711', until: '2026-12-01T00:00:00.000Z' }
  const objects: RateSetObject[] = [{ ...object, status: { ...object.status, emergency } } as RateSetObject]
  showRateSets(registry, () => objects)
  const series = 'driveaway_rateset_emergency_until_timestamp_seconds{rateset="au-fy27"}'
  expect(await registry.metrics()).toContain(`${series} 1796083200`)
  objects[0] = object
  expect(await registry.metrics()).not.toContain(series)
})
