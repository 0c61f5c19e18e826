import type { KubernetesObject } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateSetName } from '#rates/published/financial-year.ts'
import { deleteObject } from '#runtime/kube/apply.ts'
import { waitFor } from '../harness/wait-for.ts'
import { FEDERAL_FEE, inventedSet } from './invented-set.ts'
import { startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.startOperator()
}, 60_000)
afterAll(() => world.stop())

/** The sets of a financial year, which is each test's own: no test sees those of another. */
function inYear(year: string) {
  const set = (code: string, fee: string, example = fee) => inventedSet(code, { fee, example, year })
  const nameOf = (code: string) => rateSetName(code, year)
  const fee = (code: string) => world.fee(nameOf(code))
  const until = (code: string, condition: Parameters<World['until']>[2]) =>
    world.until('RateSet', nameOf(code), condition)
  const status = async (code: string) => (await world.read('RateSet', nameOf(code)))?.status
  /** Applies a set and waits until it is published. */
  const publish = async (code: string, amount: string) => {
    await world.applySet(set(code, amount))
    await waitFor(`${nameOf(code)} at ${amount}`, async () => (await fee(code)) === amount, { everyMs: 20 })
    await until(code, ['Ready', 'True'])
  }
  /** Publishes the federal set at an amount, and a state that charges that amount by reference. */
  const publishDependent = async (amount: string) => {
    await publish('AU', amount)
    await world.applySet(set('AU_QLD', FEDERAL_FEE, amount))
    await until('AU_QLD', ['Ready', 'True'])
  }
  return { set, nameOf, fee, until, status, publish, publishDependent }
}

test('an applied set and its import are published, whichever came first', async () => {
  const { set, nameOf, until, publish } = inYear('2024-2025')
  await world.applySet(set('AU_VIC', '10.00'))
  expect((await until('AU_VIC', ['Ready', 'False'])).reason).toBe('ImportMissing')
  await publish('AU', '1.00')
  await until('AU_VIC', ['Ready', 'True'])
  const { index, sets } = await world.published()
  expect([...sets.keys()].filter((name) => name.endsWith('fy25'))).toEqual(['au-fy25', 'au-vic-fy25'])
  const [federal, state] = ['AU', 'AU_VIC'].map((code) => index.sets.find(({ name }) => name === nameOf(code)))
  expect(state?.imports).toEqual({ 'au-fy25': federal?.digest })
})

test('a status says digest, release, examples, covered dates and evidence, and each condition its generation', async () => {
  const { nameOf, publish } = inYear('2026-2027')
  await publish('AU', '1.00')
  await publish('AU_VIC', '10.00')
  const { index } = await world.published()
  const object = await world.read('RateSet', 'au-vic-fy27')
  expect(object?.status).toMatchObject({
    digest: index.sets.find(({ name }) => name === nameOf('AU_VIC'))!.digest,
    release: index.release,
    examples: { passed: 1, total: 1 },
    covered: { startDate: '2026-07-01', endDate: '2027-06-30' },
    evidence: { official: 1 },
  })
  const generation = object?.metadata?.generation
  for (const condition of object?.status?.conditions ?? []) expect(condition.observedGeneration).toBe(generation)
})

test('a bad change keeps what is published, says where it is wrong, and the others go on', async () => {
  const { set, fee, until, status, publish } = inYear('2027-2028')
  await publish('AU', '1.00')
  await publish('AU_VIC', '10.00')
  await world.applySet(set('AU_VIC', '12.00', '11.00'))
  const ready = await until('AU_VIC', ['Ready', 'False', 'CheckFailed'])
  expect(ready.message).toContain('spec.examples[0]')
  await until('AU_VIC', ['Stalled', 'True'])
  await until('AU_VIC', ['Published', 'True', 'LastGood'])
  await publish('AU_NSW', '20.00')
  expect(await fee('AU_VIC')).toBe('10.00')
  expect((await status('AU_VIC'))?.examples).toMatchObject({ passed: 0, total: 1 })
  await publish('AU_VIC', '12.00')
  expect((await status('AU_VIC'))?.conditions.map(({ type }) => type)).not.toContain('Stalled')
})

test('a transition time moves only when a condition changes', async () => {
  const { until, publish } = inYear('2028-2029')
  await publish('AU', '1.00')
  await publish('AU_VIC', '12.00')
  const before = await until('AU_VIC', ['Ready', 'True'])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await publish('AU_VIC', '13.00')
  const after = await until('AU_VIC', ['Ready', 'True'])
  expect(after.observedGeneration).toBe(before.observedGeneration + 1)
  expect(after.lastTransitionTime).toBe(before.lastTransitionTime)
})

test('a federal change that breaks a state is held, and goes live in one flip with the fitting change of the state', async () => {
  const { set, nameOf, fee, until, publishDependent } = inYear('2029-2030')
  await publishDependent('1.00')
  const { sequence } = (await world.published()).index
  await world.applySet(set('AU', '2.00'))
  const held = await until('AU', ['Ready', 'False', 'BreaksImporter'])
  expect(held.message).toContain(nameOf('AU_QLD'))
  expect((await world.published()).index.sequence).toBe(sequence)
  await world.applySet(set('AU_QLD', FEDERAL_FEE, '2.00'))
  await until('AU', ['Ready', 'True'])
  await until('AU_QLD', ['Ready', 'True'])
  const { index } = await world.published()
  expect(index.sequence).toBe(sequence + 1)
  expect(await fee('AU')).toBe('2.00')
})

test('a state change that needs a federal one waits, and goes live in one flip with it', async () => {
  const { set, fee, until, publishDependent } = inYear('2030-2031')
  await publishDependent('2.00')
  const { sequence } = (await world.published()).index
  await world.applySet(set('AU_QLD', FEDERAL_FEE, '3.00'))
  await until('AU_QLD', ['Ready', 'False', 'CheckFailed'])
  await world.applySet(set('AU', '3.00'))
  await until('AU_QLD', ['Ready', 'True'])
  expect((await world.published()).index.sequence).toBe(sequence + 1)
  expect(await fee('AU')).toBe('3.00')
})

test('a deleted index is rebuilt from the shards, last good contents included, with a higher sequence', async () => {
  const { set, fee, until, publish } = inYear('2031-2032')
  await publish('AU', '1.00')
  await publish('AU_VIC', '13.00')
  await world.applySet(set('AU_VIC', '14.00', '11.00'))
  await until('AU_VIC', ['Ready', 'False'])
  const before = await world.published()
  await world.remove('ConfigMap', 'driveaway-rates')
  const after = await waitFor('the index to be back', () => world.published())
  expect(after.index.release).toBe(before.index.release)
  expect(after.index.sequence).toBe(before.index.sequence + 1)
  expect(await fee('AU_VIC')).toBe('13.00')
})

test('a deleted shard that is needed is put back', async () => {
  const { nameOf, publish } = inYear('2032-2033')
  await publish('AU', '1.00')
  const { index } = await world.published()
  const [shard] = index.sets.find(({ name }) => name === nameOf('AU'))!.shards
  await world.remove('ConfigMap', shard!.name)
  await waitFor('the shard to be back', () => world.published())
})

test('deletion never unpublishes; withdrawal does', async () => {
  const { set, nameOf, fee, until, publish } = inYear('2033-2034')
  await publish('AU', '1.00')
  await publish('AU_NSW', '21.00')
  // The API server refuses to delete a set that is not withdrawn; the operator must not depend on that.
  const { controlPlane } = world
  const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' }
  const bindings = await world.list<{ metadata: { name: string } }>(
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  )
  for (const { metadata } of bindings) await deleteObject(controlPlane.kubeConfig, { ...policy, metadata })
  await waitFor('the deletion to be let through', () => world.remove('RateSet', nameOf('AU_NSW')))
  await publish('AU_TAS', '5.00')
  expect(await fee('AU_NSW')).toBe('21.00')

  await world.applySet({ ...set('AU_NSW', '21.00'), withdrawn: true })
  await waitFor('the set to go', async () => !(await world.published()).sets.has(nameOf('AU_NSW')))
  await until('AU_NSW', ['Published', 'False', 'Withdrawn'])
})

test('every transition is an event', async () => {
  interface Event {
    reason: string
    type: string
    regarding: { name: string; kind: string }
  }
  const { set, nameOf, until, publishDependent } = inYear('2034-2035')
  await publishDependent('1.00')
  await world.applySet(set('AU', '2.00'))
  await until('AU', ['Ready', 'False', 'BreaksImporter'])
  await waitFor('both events', async () => {
    const events = await world.list<KubernetesObject & Event>('/apis/events.k8s.io/v1/namespaces/driveaway/events')
    const told = events.filter(({ regarding }) => regarding.name === nameOf('AU'))
    const lines = told.map(({ reason, type }) => `${type} ${reason}`)
    if (!lines.includes('Warning BreaksImporter') || !lines.includes('Normal Published')) throw new Error(String(lines))
    return lines
  })
})
