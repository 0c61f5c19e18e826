import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
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
import { newKey, type AttestingKey } from './keys.ts'

const first = await newKey('staging-1', 'staging')
const second = await newKey('staging-2', 'staging')

let world: World
let operator: RunningOperator | undefined
let trusted: readonly AttestingKey[] = []
beforeAll(async () => {
  world = await startWorld()
}, 90_000)
afterAll(() => world.stop())
beforeEach(() => trustOnly(first))

/** Has the operator trust these keys and no others: it is started anew where it trusts others. */
async function trustOnly(...keys: AttestingKey[]): Promise<void> {
  if (keys.length === trusted.length && keys.every((each, at) => each === trusted[at])) return
  await restartWith(keys)
}

async function restartWith(keys: readonly AttestingKey[]): Promise<void> {
  await operator?.child.stop()
  operator = await world.startOperator(requiring(keys))
  trusted = keys
}

/** The sets of a financial year, which is each test's own: what is admitted in one is not in another. */
function inYear(year: string) {
  const set = (code: string) => (fee: string) => inventedSet(code, { fee, year })
  return { au: set('AU'), vic: set('AU_VIC'), nsw: set('AU_NSW'), named: (code: string) => rateSetName(code, year) }
}

const promote = async (spec: RateSetSpec, about: Partial<About> = {}) =>
  applyAttested(world, spec, await attestationOf(spec, { by: first, ...about }))

async function untilPublished(spec: RateSetSpec, federal?: RateSetSpec): Promise<void> {
  const name = rateSetName(spec.pricingCode, spec.financialYear)
  await waitFor(
    `${name} at ${digestWith(spec, federal)}`,
    async () => {
      const { index } = await world.published()
      return index.sets.find((set) => set.name === name)?.digest === digestWith(spec, federal)
    },
    { timeoutMs: 20_000 },
  )
}

/** Publishes a federal set and sets of states, all attested. */
async function publish(federal: RateSetSpec, ...states: RateSetSpec[]): Promise<void> {
  await promote(federal)
  for (const state of states) await promote(state, { federal })
  await untilPublished(federal)
  for (const state of states) await untilPublished(state, federal)
  for (const { pricingCode, financialYear } of [federal, ...states])
    await world.until('RateSet', rateSetName(pricingCode, financialYear), ['Ready', 'True'])
}

const withFederal = (federal: RateSetSpec) =>
  `(with ${rateSetName('AU', federal.financialYear)} at ${digestWith(federal).slice(7, 19)})`

test('a state that is attested waits for its federal set, and both go live when that is attested too', async () => {
  const { au, vic } = inYear('2024-2025')
  await promote(vic('10.00'), { federal: au('1.00') })
  await applyAttested(world, au('1.00'))
  await untilRefused(
    world,
    'au-fy25',
    `there is no annotation rates.driveaway.dev/attestation for ${digestWith(au('1.00'))}`,
  )
  const waits = await world.until('RateSet', 'au-vic-fy25', ['Ready', 'False', 'ImportHeld'])
  expect(waits.message).toContain('waits for au-fy25, which is held')
  await promote(au('1.00'))
  await world.until('RateSet', 'au-vic-fy25', ['Ready', 'True'])
  await world.until('RateSet', 'au-fy25', ['Ready', 'True'])
})

test('a cluster that is new takes attestations of two years ago, also those that were given two weeks then', async () => {
  const { au, vic } = inYear('2035-2036')
  const iat = Math.floor(Date.now() / 1000) - 2 * 365 * 86_400
  const old = { iat, exp: iat + 14 * 86_400 }
  await promote(au('1.00'), old)
  await promote(vic('10.00'), { ...old, federal: au('1.00') })
  await untilPublished(vic('10.00'), au('1.00'))
  await world.until('RateSet', 'au-vic-fy36', ['Ready', 'True'])
})

test('what was published before can be published again without an attestation, after a restart too', async () => {
  const { au, vic } = inYear('2026-2027')
  await publish(au('1.00'), vic('10.00'))
  await publish(au('1.00'), vic('12.00'))
  await applyAttested(world, vic('10.00'))
  await untilPublished(vic('10.00'), au('1.00'))
  await restartWith([first])
  await applyAttested(world, vic('12.00'))
  await untilPublished(vic('12.00'), au('1.00'))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
})

test('an attestation whose key is gone is not asked for again at a restart', async () => {
  const { au, vic, nsw } = inYear('2027-2028')
  await publish(au('1.00'), vic('13.00'))
  await restartWith([second])
  const { sequence } = (await world.published()).index
  await promote(nsw('20.00'), { federal: au('1.00'), by: second })
  await untilPublished(nsw('20.00'), au('1.00'))
  expect((await world.published()).index.sequence).toBe(sequence + 1)
  expect(await world.fee('au-vic-fy28')).toBe('13.00')
  await world.until('RateSet', 'au-vic-fy28', ['Ready', 'True'])
})

test('a key that was rotated out no longer counts for what is new; with both, both do', async () => {
  const { au, vic, nsw } = inYear('2028-2029')
  await publish(au('1.00'), vic('13.00'))
  await restartWith([second])
  await promote(vic('14.00'), { federal: au('1.00'), by: first })
  await untilRefused(
    world,
    'au-vic-fy29',
    `the attestation is signed by key staging-1, which is not trusted; trusted: staging-2 ${withFederal(au('1.00'))}`,
  )
  await restartWith([first, second])
  await untilPublished(vic('14.00'), au('1.00'))
  await promote(nsw('21.00'), { federal: au('1.00'), by: second })
  await untilPublished(nsw('21.00'), au('1.00'))
})

test('a federal set is held until every importer is attested with it, and then all go live in one flip', async () => {
  const { au, vic, nsw } = inYear('2029-2030')
  await publish(au('1.00'), vic('14.00'), nsw('21.00'))
  const { sequence } = (await world.published()).index
  await promote(au('2.00'))
  const importer = (name: string, spec: RateSetSpec) =>
    `would be published with ${name}, which is not attested with it: the attestation is of ${digestWith(spec, au('1.00'))}, ` +
    `not of ${digestWith(spec, au('2.00'))} ${withFederal(au('2.00'))}`
  await untilRefused(world, 'au-fy30', importer('au-nsw-fy30', nsw('21.00')))
  await world.until('RateSet', 'au-vic-fy30', ['Ready', 'True'])
  await promote(nsw('21.00'), { federal: au('2.00') })
  await untilRefused(world, 'au-fy30', importer('au-vic-fy30', vic('14.00')))
  expect((await world.published()).index.sequence).toBe(sequence)
  expect(await world.fee('au-fy30')).toBe('1.00')
  await promote(vic('14.00'), { federal: au('2.00') })
  await untilPublished(au('2.00'))
  const { index } = await world.published()
  expect(index.sequence).toBe(sequence + 1)
  expect(index.sets.filter(({ name }) => name.endsWith('fy30')).map(({ digest }) => digest)).toEqual([
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
  const { au, vic, nsw } = inYear('2030-2031')
  await publish(au('2.00'), vic('14.00'), nsw('21.00'))
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
    await untilPublished(sets['vic'] as RateSetSpec, federal)
    await untilPublished(sets['nsw'] as RateSetSpec, federal)
  }
  const seen = await stop()
  expect(seen.filter((digest) => !allowed.has(digest))).toEqual([])
  expect(seen.length).toBeGreaterThanOrEqual(orders.length * 3)
}, 120_000)

test('a record that somebody made immutable is replaced', async () => {
  const { au } = inYear('2034-2035')
  await publish(au('8.00'))
  const record = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'driveaway-admitted', namespace: 'driveaway' },
  }
  const as = { fieldManager: 'test', force: true }
  await kubeOf(world.controlPlane.kubeConfig).apply({ ...record, immutable: true } as never, as)
  await publish(au('9.00'))
})

test('the record says what was admitted and on whose word, and without it what is in force stays', async () => {
  const record = async () => {
    const object = await world.read<V1ConfigMap>('ConfigMap', 'driveaway-admitted')
    return JSON.parse(object?.data?.['admitted.json'] ?? '{"sets":{}}') as {
      sets: Record<string, { digest: string; kid?: string }[]>
    }
  }
  const { au, vic, nsw } = inYear('2031-2032')
  await publish(au('8.00'), vic('10.00'))
  await publish(au('8.00'), vic('35.00'))
  const { sets } = await record()
  expect(sets['au-vic-fy32']?.[0]).toMatchObject({ kid: 'staging-1', environment: 'staging' })
  await world.remove('ConfigMap', 'driveaway-admitted')
  await restartWith([first])
  await applyAttested(world, vic('10.00'))
  await world.until('RateSet', 'au-vic-fy32', ['Ready', 'False', 'AwaitingAttestation'])
  expect(await world.fee('au-vic-fy32')).toBe('35.00')
  await promote(nsw('22.00'), { federal: au('8.00') })
  await untilPublished(nsw('22.00'), au('8.00'))
  expect((await record()).sets['au-vic-fy32']?.map(({ digest }) => digest)).toEqual([
    digestWith(vic('35.00'), au('8.00')),
  ])
})

test('a set may be withdrawn without an attestation, and come back as it was', async () => {
  const { au, nsw } = inYear('2032-2033')
  await publish(au('8.00'), nsw('22.00'))
  await applyAttested(world, { ...nsw('22.00'), withdrawn: true })
  await waitFor('the set to be gone', async () => !(await world.published()).sets.has('au-nsw-fy33'))
  await applyAttested(world, nsw('22.00'))
  await untilPublished(nsw('22.00'), au('8.00'))
})

test('whatever leads there, an index with something unproved in it is not written', async () => {
  const { au, named } = inYear('2033-2034')
  await publish(au('1.00'))
  const cluster = { kube: kubeOf(world.controlPlane.kubeConfig), namespace: 'driveaway' }
  const { index } = await world.published()
  const gate = attestationGate({ keys: [], environments: ['staging'] }, () => new Date())
  const entry = index.sets.find(({ name }) => name === named('AU'))
  const unproved = { ...(entry as RateSetEntry), digest: `sha256:${'0'.repeat(64)}` }
  const open = await gate.open(cluster, index)
  await expect(open.remember([...index.sets, unproved])).rejects.toThrow('is not attested: nothing is published')
  await open.remember(index.sets)
})
