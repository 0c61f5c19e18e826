import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { attestationGate } from '../../../operator/attestation/gate.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'
import {
  applyAttested,
  attestationOf,
  digestWith,
  keepDigests,
  requiring,
  untilRefused,
  type About,
} from './environment.ts'
import { newKey } from './keys.ts'

const first = await newKey('staging-1', 'staging')
const second = await newKey('staging-2', 'staging')
const au = (fee: string) => inventedSet('AU', { fee })
const vic = (fee: string) => inventedSet('AU_VIC', { fee })
const nsw = (fee: string) => inventedSet('AU_NSW', { fee })

let world: World
let operator: RunningOperator
beforeAll(async () => {
  world = await startWorld()
  operator = await world.startOperator(requiring([first]))
}, 90_000)
afterAll(() => world.stop())

async function restartWith(keys: (typeof first)[]): Promise<void> {
  await operator.child.stop()
  operator = await world.startOperator(requiring(keys))
}

const promote = async (spec: RateSetSpec, about: Partial<About> = {}) =>
  applyAttested(world, spec, await attestationOf(spec, { by: first, ...about }))

const untilPublished = (name: string, spec: RateSetSpec, federal?: RateSetSpec) =>
  waitFor(
    `${name} at ${digestWith(spec, federal)}`,
    async () => {
      const { index } = await world.published()
      return index.sets.find((set) => set.name === name)?.digest === digestWith(spec, federal)
    },
    { timeoutMs: 20_000 },
  )

const shorthand = (federal: RateSetSpec) => digestWith(federal).slice(7, 19)

test('a state that is attested waits for its federal set, and both go live when that is attested too', async () => {
  await promote(vic('10.00'), { federal: au('1.00') })
  await applyAttested(world, au('1.00'))
  await untilRefused(
    world,
    'au-fy27',
    `there is no annotation rates.driveaway.dev/attestation for ${digestWith(au('1.00'))}`,
  )
  const waits = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'ImportHeld'])
  expect(waits.message).toContain('waits for au-fy27, which is held')
  await promote(au('1.00'))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  await world.until('RateSet', 'au-fy27', ['Ready', 'True'])
})

test('clocks may differ by a minute: issued half a minute from now, and expired half a minute ago, both count', async () => {
  const now = Math.floor(Date.now() / 1000)
  await promote(vic('11.00'), { federal: au('1.00'), iat: now + 30, exp: now + 3600 })
  await untilPublished('au-vic-fy27', vic('11.00'), au('1.00'))
  await promote(vic('12.00'), { federal: au('1.00'), iat: now - 3600, exp: now - 30 })
  await untilPublished('au-vic-fy27', vic('12.00'), au('1.00'))
})

test('what was published before can be published again without an attestation, after a restart too', async () => {
  await applyAttested(world, vic('10.00'))
  await untilPublished('au-vic-fy27', vic('10.00'), au('1.00'))
  await restartWith([first])
  await applyAttested(world, vic('12.00'))
  await untilPublished('au-vic-fy27', vic('12.00'), au('1.00'))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
})

test('an attestation that has expired since, or whose key is gone, is not asked for again at a restart', async () => {
  const iat = Math.floor(Date.now() / 1000) - 3600
  // The clocks' minute is nearly over: what is published now could not be published in three seconds.
  await promote(vic('13.00'), { federal: au('1.00'), iat, exp: Math.floor(Date.now() / 1000) - 57 })
  await untilPublished('au-vic-fy27', vic('13.00'), au('1.00'))
  await new Promise((resolve) => setTimeout(resolve, 4000))
  await restartWith([second])
  const { sequence } = (await world.published()).index
  await promote(nsw('20.00'), { federal: au('1.00'), by: second })
  await untilPublished('au-nsw-fy27', nsw('20.00'), au('1.00'))
  expect((await world.published()).index.sequence).toBe(sequence + 1)
  expect(await world.fee('au-vic-fy27')).toBe('13.00')
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
})

test('a key that was rotated out no longer counts for what is new; with both, both do', async () => {
  await promote(vic('14.00'), { federal: au('1.00'), by: first })
  await untilRefused(
    world,
    'au-vic-fy27',
    `the attestation is signed by key staging-1, which is not trusted; trusted: staging-2 (with au-fy27 at ${shorthand(au('1.00'))})`,
  )
  await restartWith([first, second])
  await untilPublished('au-vic-fy27', vic('14.00'), au('1.00'))
  await promote(nsw('21.00'), { federal: au('1.00'), by: second })
  await untilPublished('au-nsw-fy27', nsw('21.00'), au('1.00'))
})

test('a federal set is held until every importer is attested with it, and then all go live in one flip', async () => {
  const { sequence } = (await world.published()).index
  await promote(au('2.00'))
  const importer = (name: string, spec: RateSetSpec) =>
    `would be published with ${name}, which is not attested with it: the attestation is of ${digestWith(spec, au('1.00'))}, ` +
    `not of ${digestWith(spec, au('2.00'))} (with au-fy27 at ${shorthand(au('2.00'))})`
  await untilRefused(world, 'au-fy27', importer('au-nsw-fy27', nsw('21.00')))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  await promote(nsw('21.00'), { federal: au('2.00') })
  await untilRefused(world, 'au-fy27', importer('au-vic-fy27', vic('14.00')))
  expect((await world.published()).index.sequence).toBe(sequence)
  expect(await world.fee('au-fy27')).toBe('1.00')
  await promote(vic('14.00'), { federal: au('2.00') })
  await untilPublished('au-fy27', au('2.00'))
  const { index } = await world.published()
  expect(index.sequence).toBe(sequence + 1)
  expect(index.sets.map(({ digest }) => digest)).toEqual([
    ...[digestWith(au('2.00')), digestWith(nsw('21.00'), au('2.00')), digestWith(vic('14.00'), au('2.00'))],
  ])
})

test('in whatever order a promotion is applied, nothing unattested is ever in the index and the end is the same', async () => {
  const orders = [
    ['au', 'vic', 'nsw'],
    ['au', 'nsw', 'vic'],
    ['vic', 'au', 'nsw'],
    ['vic', 'nsw', 'au'],
    ['nsw', 'au', 'vic'],
    ['nsw', 'vic', 'au'],
  ]
  const allowed = new Set((await world.published()).index.sets.map(({ digest }) => digest))
  const stop = keepDigests(world)
  for (const [round, order] of orders.entries()) {
    const federal = au(`${round + 3}.00`)
    // One of the states changes together with the federal set; the other stays and is only attested anew.
    const sets: Record<string, RateSetSpec> = { au: federal, vic: vic(`${round + 30}.00`), nsw: nsw('21.00') }
    for (const [name, spec] of Object.entries(sets)) allowed.add(digestWith(spec, name === 'au' ? undefined : federal))
    for (const name of order) {
      await promote(sets[name] as RateSetSpec, name === 'au' ? {} : { federal })
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    await untilPublished('au-vic-fy27', sets['vic'] as RateSetSpec, federal)
    await untilPublished('au-nsw-fy27', sets['nsw'] as RateSetSpec, federal)
  }
  const seen = await stop()
  expect(seen.filter((digest) => !allowed.has(digest))).toEqual([])
  expect(seen.length).toBeGreaterThanOrEqual(orders.length * 3)
}, 120_000)

test('the record says what was admitted and on whose word, and without it what is in force stays', async () => {
  const record = async () => {
    const object = await world.read<V1ConfigMap>('ConfigMap', 'driveaway-admitted')
    return JSON.parse(object?.data?.['admitted.json'] ?? '{"sets":{}}') as {
      sets: Record<string, { digest: string; kid?: string }[]>
    }
  }
  const { sets } = await record()
  expect(sets['au-vic-fy27']?.[0]).toMatchObject({ kid: 'staging-1', environment: 'staging' })
  await world.remove('ConfigMap', 'driveaway-admitted')
  await restartWith([first])
  await applyAttested(world, vic('10.00'))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'AwaitingAttestation'])
  expect(await world.fee('au-vic-fy27')).toBe('35.00')
  await promote(nsw('22.00'), { federal: au('8.00') })
  await untilPublished('au-nsw-fy27', nsw('22.00'), au('8.00'))
  expect((await record()).sets['au-vic-fy27']?.map(({ digest }) => digest)).toEqual([
    digestWith(vic('35.00'), au('8.00')),
  ])
})

test('a set may be withdrawn without an attestation, and come back as it was', async () => {
  await applyAttested(world, { ...nsw('22.00'), withdrawn: true })
  await waitFor('the set to be gone', async () => !(await world.published()).sets.has('au-nsw-fy27'))
  await applyAttested(world, nsw('22.00'))
  await untilPublished('au-nsw-fy27', nsw('22.00'), au('8.00'))
})

test('whatever leads there, an index with something unproved in it is not written', async () => {
  const cluster = { kube: kubeOf(world.controlPlane.kubeConfig), namespace: 'driveaway' }
  const { index } = await world.published()
  const gate = attestationGate({ keys: [], environments: ['staging'] }, () => new Date())
  const [entry] = index.sets
  const unproved = { ...(entry as RateSetEntry), digest: `sha256:${'0'.repeat(64)}` }
  const open = await gate.open(cluster, index)
  await expect(open.remember([...index.sets, unproved])).rejects.toThrow('is not attested: nothing is published')
  await open.remember(index.sets)
})
