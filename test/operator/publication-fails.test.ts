import type { KubernetesObject } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject, getObject } from '#runtime/kube/apply.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type RunningOperator, type World } from './world.ts'

// A failure that is no object's own: the operator loses a right that every publication needs.

let world: World
let operator: RunningOperator

beforeAll(async () => {
  world = await startWorld()
  operator = await world.startOperator()
}, 60_000)
afterAll(() => world.stop())

type Role = KubernetesObject & { rules: { resources: string[]; verbs: string[] }[] }

/** Takes the operator's right to list the objects that it follows, and returns what gives it back. */
async function withoutRightToList(): Promise<() => Promise<unknown>> {
  const { kubeConfig } = world.controlPlane
  const reference = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'driveaway-operator', namespace: 'driveaway' },
  }
  const role = (await getObject<Role>(kubeConfig, reference)) as Role
  const options = { fieldManager: 'test', force: true }
  const rules = role.rules.map((rule) =>
    rule.resources.includes('ratesets') ? { ...rule, verbs: ['get', 'watch'] } : rule,
  )
  await applyObject(kubeConfig, { ...reference, rules } as never, options)
  return () => applyObject(kubeConfig, { ...reference, rules: role.rules } as never, options)
}

const client = (suspended: boolean) => ({
  ...{ displayName: 'Invented Motors', showroomCodes: ['MEL01'], grants: ['pricing:quote' as const], suspended },
  credentials: [{ secretRef: { name: 'waits' } }],
})

const eventsOf = async (name: string) =>
  (
    await world.list<KubernetesObject & { regarding: { name: string }; type: string; reason: string; note: string }>(
      '/apis/events.k8s.io/v1/namespaces/driveaway/events',
    )
  ).filter(({ regarding }) => regarding.name === name)

const runs = async (outcome: string) => {
  const text = await (await fetch(`${operator.healthUrl}/metrics`)).text()
  return Number(
    new RegExp(`driveaway_publication_runs_total\\{kind="clients",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1],
  )
}

test('what waits while no publication succeeds says so, in status, event and metric, and is published afterwards', async () => {
  await world.applySet(inventedSet('AU'))
  await world.applyClient('waits', client(false))
  await world.until('RateSet', 'au-fy27', ['Ready', 'True'])
  await world.until('ShowroomClient', 'waits', ['Ready', 'True'])
  const { digest } = (await world.read('RateSet', 'au-fy27'))?.status ?? {}

  const giveBack = await withoutRightToList()
  await world.applyClient('waits', client(true))
  await world.applySet(inventedSet('AU', { fee: '7.00' }))
  const failing = ['Ready', 'False', 'PublicationFails'] as const
  const { message } = await world.until('ShowroomClient', 'waits', [...failing])
  expect(message).toMatch(/the earlier content is served: .*showroomclients.* 403 .*cannot list/)
  await world.until('RateSet', 'au-fy27', [...failing])
  const status = (await world.read('RateSet', 'au-fy27'))?.status
  expect(status?.conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`)).toEqual([
    ...['Ready=False PublicationFails', 'Published=True LastGood', 'Loaded=False Held'],
    'Reconciling=True PublicationFails',
  ])
  expect(status?.digest).toBe(digest)
  const warning = { type: 'Warning', reason: 'PublicationFails' }
  await waitFor('the event', async () => {
    expect(await eventsOf('waits')).toContainEqual(expect.objectContaining(warning))
    return true
  })
  expect(await runs('failed')).toBeGreaterThan(3)

  await giveBack()
  await world.until('ShowroomClient', 'waits', ['Ready', 'True', 'Suspended'])
  await world.until('RateSet', 'au-fy27', ['Ready', 'True'])
  expect((await world.publishedClients()).clients.get('waits')?.suspended).toBe(true)
  expect(await world.fee('au-fy27')).toBe('7.00')
}, 60_000)
