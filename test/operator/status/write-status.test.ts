import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject, getObject } from '#runtime/kube/apply.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import type { Condition } from '../../../operator/status/conditions.ts'
import type { ShowroomClientObject, ShowroomClientStatus } from '../../../operator/showroom-client/object.ts'
import { StatusWriter } from '../../../operator/status/write-status.ts'
import { startWorld, type World } from '../world.ts'

const reference = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' }
const metadata = { name: 'northside', namespace: 'driveaway' }

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.applyClient('northside', {
    displayName: 'Invented Motors',
    showroomCodes: ['MEL01'],
    grants: ['pricing:quote'],
    credentials: [{ secretRef: { name: 'northside' } }],
  })
}, 60_000)
afterAll(() => world.stop())

function writer(replaceStatus?: (kube: Kube) => Kube['replaceStatus']) {
  const told: string[] = []
  const announce = (_: unknown, transitions: readonly Condition[]) => {
    told.push(...transitions.map(({ type, reason }) => `${type} ${reason}`))
    return Promise.resolve()
  }
  const operator = kubeOf(world.controlPlane.kubeConfigFor('driveaway-operator'))
  const asOperator = { ...operator, ...(replaceStatus && { replaceStatus: replaceStatus(operator) }) }
  return {
    told,
    statuses: new StatusWriter<ShowroomClientStatus>({ kube: asOperator, announce, turn: () => Promise.resolve() }),
  }
}

/** What is stored, without managedFields, as a watch has it. */
const stored = async () => {
  const object = await getObject(world.controlPlane.kubeConfig, { ...reference, metadata })
  delete object?.metadata?.managedFields
  return object as unknown as ShowroomClientObject & { metadata: { resourceVersion: string } }
}

function status(reason: string, ...types: string[]): ShowroomClientStatus {
  const lastTransitionTime = '2026-11-21T00:00:00Z'
  const conditions = types.map((type) => ({
    ...{ type, status: 'True' as const, reason, message: 'as it is', observedGeneration: 1, lastTransitionTime },
  }))
  return { observedGeneration: 1, conditions }
}

test('a status is one event where Ready changes, which sums up', async () => {
  const { statuses, told } = writer()
  const seen = await stored()
  await statuses.write(seen, status('Published', 'Ready', 'Published', 'Loaded'))
  expect(told).toEqual(['Ready Published'])
  // `seen` is older than what was just written: what a cache that is behind has.
  expect(statuses.current(seen)?.conditions).toHaveLength(3)
  await statuses.write(seen, status('Narrowed', 'Ready', 'Published'))
  expect(told.slice(1)).toEqual(['Ready Narrowed'])
  expect((await stored()).status).toEqual(status('Narrowed', 'Ready', 'Published'))
})

test('a status meant for an older version is not written, and nothing is told', async () => {
  const seen = await stored()
  const labelled = { ...reference, metadata: { ...metadata, labels: { changed: 'meanwhile' } } }
  await applyObject(world.controlPlane.kubeConfig, labelled, { fieldManager: 'somebody' })
  const { statuses, told } = writer()
  await statuses.write(seen, status('Late', 'Ready'))
  expect(told).toEqual([])
  expect((await stored()).status).toEqual(seen.status)
  await statuses.write(await stored(), status('InTime', 'Ready'))
  expect((await stored()).status).toEqual(status('InTime', 'Ready'))
})

test('who applied a label or an annotation still owns it after a status was written, and can take it away', async () => {
  const kubeConfig = world.controlPlane.kubeConfig
  const apply = (annotations: Record<string, string>) =>
    applyObject(kubeConfig, { ...reference, metadata: { ...metadata, annotations } }, { fieldManager: 'gitops' })
  await apply({ 'example.com/approved': 'yes' })
  await writer().statuses.write(await stored(), status('Approved', 'Ready'))
  await apply({})
  expect((await stored()).metadata).not.toHaveProperty('annotations')
  expect((await stored()).status).toEqual(status('Approved', 'Ready'))
})

test('who applied a field of the spec still owns it after a status was written, and can take it away', async () => {
  const credentials = [{ secretRef: { name: 'northside' } }]
  const spec = { displayName: 'Invented Motors', showroomCodes: ['MEL01'], grants: [], credentials }
  const contacts = [{ email: 'rates@northside.example', notices: true }]
  await world.applyClient('northside', { ...spec, contacts })
  await writer().statuses.write(await stored(), status('Contacted', 'Ready'))
  await world.applyClient('northside', spec)
  expect((await stored()).spec).toEqual(spec)
  expect((await stored()).status).toEqual(status('Contacted', 'Ready'))
})

/** A writer of whose writes the first has no answer; the server takes it, or never sees it. */
function unansweredWriter(isTaken: boolean) {
  let writes = 0
  return writer((kube) => async (object, manager) => {
    if (++writes > 1) return kube.replaceStatus(object, manager)
    if (isTaken) await kube.replaceStatus(object, manager)
    throw new Error('no answer')
  })
}

const later = (value: ShowroomClientStatus): ShowroomClientStatus => ({
  ...value,
  conditions: value.conditions.map((each) => ({ ...each, lastTransitionTime: '2026-11-22T00:00:00Z' })),
})

test('a status that was stored, while its answer was lost, is told once when it is found stored', async () => {
  const { statuses, told } = unansweredWriter(true)
  const seen = await stored()
  const wanted = status('Unheard', 'Ready')
  await expect(statuses.write(seen, wanted)).rejects.toThrow('no answer')
  // The cache is behind: the server refuses what is written over the old version.
  await statuses.write(seen, later(wanted))
  expect(told).toEqual([])
  await statuses.write(await stored(), wanted)
  await statuses.write(await stored(), wanted)
  expect(told).toEqual(['Ready Unheard'])
})

test('a status that was stored without an answer is told also when the next one is another', async () => {
  const { statuses, told } = unansweredWriter(true)
  await expect(statuses.write(await stored(), status('Stored', 'Ready'))).rejects.toThrow('no answer')
  await statuses.write(await stored(), status('Next', 'Ready'))
  expect(told).toEqual(['Ready Stored', 'Ready Next'])
})

test('a status that never arrived is told when it is written, and only once', async () => {
  const { statuses, told } = unansweredWriter(false)
  await expect(statuses.write(await stored(), status('Again', 'Ready'))).rejects.toThrow('no answer')
  await statuses.write(await stored(), later(status('Again', 'Ready')))
  await statuses.write(await stored(), later(status('Again', 'Ready')))
  expect(told).toEqual(['Ready Again'])
})

test('who writes a status does not wait for its events', async () => {
  const kube = kubeOf(world.controlPlane.kubeConfigFor('driveaway-operator'))
  const told = Promise.withResolvers<void>()
  const options = { kube, announce: () => told.promise, turn: () => Promise.resolve() }
  await new StatusWriter<ShowroomClientStatus>(options).write(await stored(), status('Untold', 'Ready'))
  expect((await stored()).status).toEqual(status('Untold', 'Ready'))
})
