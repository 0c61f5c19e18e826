import type { KubernetesObject } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { FEDERAL_FEE, inventedSet } from './invented-set.ts'
import { startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.startOperator()
}, 60_000)
afterAll(() => world.stop())

/** Applies a set and waits until it is published. */
async function publish(code: string, fee: string): Promise<void> {
  await world.applySet(inventedSet(code, { fee }))
  const name = `${code.toLowerCase().replace('_', '-')}-fy27`
  await waitFor(`${name} at ${fee}`, async () => (await world.fee(name)) === fee, { everyMs: 20 })
}

test('an applied set and its import are published, whichever came first', async () => {
  await world.applySet(inventedSet('AU_VIC', { fee: '10.00' }))
  expect((await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])).reason).toBe('ImportMissing')
  await publish('AU', '1.00')
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  const { index, sets } = await world.published()
  expect([...sets.keys()]).toEqual(['au-fy27', 'au-vic-fy27'])
  const [federal, state] = index.sets
  expect(state?.imports).toEqual({ 'au-fy27': federal?.digest })
})

test('a status says digest, release, examples, covered dates and evidence, and each condition its generation', async () => {
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  const { index } = await world.published()
  const object = await world.read('RateSet', 'au-vic-fy27')
  expect(object?.status).toMatchObject({
    digest: index.sets[1]?.digest,
    release: index.release,
    examples: { passed: 1, total: 1 },
    covered: { startDate: '2026-07-01', endDate: '2027-06-30' },
    evidence: { official: 1 },
  })
  const generation = object?.metadata?.generation
  for (const condition of object?.status?.conditions ?? []) expect(condition.observedGeneration).toBe(generation)
})

test('a bad change keeps what is published, says where it is wrong, and the others go on', async () => {
  await world.applySet(inventedSet('AU_VIC', { fee: '12.00', example: '11.00' }))
  const ready = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'CheckFailed'])
  expect(ready.message).toContain('spec.examples[0]')
  await world.until('RateSet', 'au-vic-fy27', ['Stalled', 'True'])
  await world.until('RateSet', 'au-vic-fy27', ['Published', 'True', 'LastGood'])
  await publish('AU_NSW', '20.00')
  expect(await world.fee('au-vic-fy27')).toBe('10.00')
  expect((await world.read('RateSet', 'au-vic-fy27'))?.status?.examples).toMatchObject({ passed: 0, total: 1 })
  await publish('AU_VIC', '12.00')
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  const conditions = (await world.read('RateSet', 'au-vic-fy27'))?.status?.conditions.map(({ type }) => type)
  expect(conditions).not.toContain('Stalled')
})

test('a transition time moves only when a condition changes', async () => {
  const before = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await publish('AU_VIC', '13.00')
  const after = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
  expect(after.observedGeneration).toBe(before.observedGeneration + 1)
  expect(after.lastTransitionTime).toBe(before.lastTransitionTime)
})

test('a federal change that breaks a state is held, and goes live in one flip with the fitting change of the state', async () => {
  await world.applySet(inventedSet('AU_QLD', { fee: FEDERAL_FEE, example: '1.00' }))
  await world.until('RateSet', 'au-qld-fy27', ['Ready', 'True'])
  const { sequence } = (await world.published()).index
  await world.applySet(inventedSet('AU', { fee: '2.00' }))
  const held = await world.until('RateSet', 'au-fy27', ['Ready', 'False', 'BreaksImporter'])
  expect(held.message).toContain('au-qld-fy27')
  expect((await world.published()).index.sequence).toBe(sequence)
  await world.applySet(inventedSet('AU_QLD', { fee: FEDERAL_FEE, example: '2.00' }))
  await world.until('RateSet', 'au-fy27', ['Ready', 'True'])
  await world.until('RateSet', 'au-qld-fy27', ['Ready', 'True'])
  const { index } = await world.published()
  expect(index.sequence).toBe(sequence + 1)
  expect(await world.fee('au-fy27')).toBe('2.00')
})

test('a state change that needs a federal one waits, and goes live in one flip with it', async () => {
  const { sequence } = (await world.published()).index
  await world.applySet(inventedSet('AU_QLD', { fee: FEDERAL_FEE, example: '3.00' }))
  await world.until('RateSet', 'au-qld-fy27', ['Ready', 'False', 'CheckFailed'])
  await world.applySet(inventedSet('AU', { fee: '3.00' }))
  await world.until('RateSet', 'au-qld-fy27', ['Ready', 'True'])
  expect((await world.published()).index.sequence).toBe(sequence + 1)
  expect(await world.fee('au-fy27')).toBe('3.00')
})

test('a deleted index is rebuilt from the shards, last good contents included, with a higher sequence', async () => {
  await world.applySet(inventedSet('AU_VIC', { fee: '14.00', example: '11.00' }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])
  const before = await world.published()
  await world.remove('ConfigMap', 'driveaway-rates')
  const after = await waitFor('the index to be back', () => world.published())
  expect(after.index.release).toBe(before.index.release)
  expect(after.index.sequence).toBe(before.index.sequence + 1)
  expect(await world.fee('au-vic-fy27')).toBe('13.00')
})

test('a deleted shard that is needed is put back', async () => {
  const { index } = await world.published()
  const name = index.sets[0]?.shards[0]?.name ?? ''
  await world.remove('ConfigMap', name)
  await waitFor('the shard to be back', () => world.published())
})

test('deletion never unpublishes; withdrawal does', async () => {
  await publish('AU_NSW', '21.00')
  // The API server refuses to delete a set that is not withdrawn; the operator must not depend on that.
  const { controlPlane } = world
  const { deleteObject } = await import('#runtime/kube/apply.ts')
  const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' }
  const bindings = await world.list<{ metadata: { name: string } }>(
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  )
  for (const { metadata } of bindings) await deleteObject(controlPlane.kubeConfig, { ...policy, metadata })
  await waitFor('the deletion to be let through', () => world.remove('RateSet', 'au-nsw-fy27'))
  await publish('AU_TAS', '5.00')
  expect(await world.fee('au-nsw-fy27')).toBe('21.00')

  await world.applySet({ ...inventedSet('AU_NSW', { fee: '21.00' }), withdrawn: true })
  await waitFor('au-nsw-fy27 to go', async () => !(await world.published()).sets.has('au-nsw-fy27'))
  await world.until('RateSet', 'au-nsw-fy27', ['Published', 'False', 'Withdrawn'])
})

test('every transition is an event', async () => {
  interface Event {
    reason: string
    note: string
    type: string
    regarding: { name: string; kind: string }
  }
  const events = await world.list<KubernetesObject & Event>('/apis/events.k8s.io/v1/namespaces/driveaway/events')
  const told = events
    .filter(({ regarding }) => regarding.name === 'au-fy27')
    .map(({ reason, type }) => `${type} ${reason}`)
  expect(told).toContain('Warning BreaksImporter')
  expect(told).toContain('Normal Published')
})
