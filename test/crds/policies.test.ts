import type { KubeConfig, V1Namespace } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namedShard } from '#rates/published/encode-rates.ts'
import {
  ADMITTED_RECORD,
  CLIENTS_INDEX,
  FORMAT_VERSION,
  HISTORY_SUFFIX,
  PUBLISHED_LABEL,
  RATES_INDEX,
  READABLE_VERSIONS,
} from '#rates/published/format.ts'
import { storedNoticePage } from '#rates/published/notice-page.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { applyObject, deleteObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { applySurroundings } from '../operator/manifests.ts'

const CONTROLLER = 'system:serviceaccount:kube-system:namespace-controller'
let plane: ControlPlane
let operator: KubeConfig
beforeAll(async () => {
  plane = await startControlPlane()
  await applySurroundings(plane.kubeConfig)
  operator = plane.kubeConfigFor('driveaway-operator')
}, 120_000)
afterAll(() => plane?.stop())

const outcome = (done: Promise<unknown>) =>
  done.then(
    () => 'done',
    (error: Error) => error.message,
  )
const as = { fieldManager: 'test', force: true }
const configMap = (name: string, labels = {}) => {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'driveaway', labels } }
}

/** Tries a write, that can be done again, until the server heeds the policy, which it does a moment after it was applied. */
const refused = (write: () => Promise<unknown>) =>
  waitFor('a refusal by the policy', async () => {
    const said = await outcome(write())
    if (said.includes('rates.driveaway.dev')) return said
    throw new Error(said)
  })

function secret(namespace: string, name: string, type: string) {
  const annotations = { 'kubernetes.io/service-account.name': 'default' }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, annotations }, type }
}
const create = (object: ReturnType<typeof secret>) =>
  kubeOf(operator)
    .create(object)
    .finally(() => deleteObject(plane.kubeConfig, object))

test('the operator makes no token of a service account under a name that it may read', async () => {
  const token = 'kubernetes.io/service-account-token'
  expect(await refused(() => create(secret('driveaway', 'driveaway-signing-keys', token)))).toContain('Opaque')
  expect(await outcome(create(secret('driveaway-clients', 'northside', token)))).toContain('client-secret')
  expect(await outcome(create(secret('driveaway-clients', 'northside', 'Opaque')))).toContain('client-secret')
  expect(await outcome(create(secret('driveaway', 'another', 'Opaque')))).toContain('driveaway-signing-keys')
})

test('the operator makes the Secrets that it is for', async () => {
  expect(await outcome(create(secret('driveaway', 'driveaway-signing-keys', 'Opaque')))).toBe('done')
  expect(await outcome(create(secret('driveaway-clients', 'northside', 'rates.driveaway.dev/client-secret')))).toBe(
    'done',
  )
})

/** Lets accounts of the namespace `staging` create Secrets in another. */
async function mayCreateSecrets(namespace: string, accounts: string[]): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io'
  const metadata = { name: 'secrets', namespace }
  const common = { apiVersion: `${apiGroup}/v1`, metadata }
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }]
  const subjects = accounts.map((name) => ({ kind: 'User', apiGroup, name: `system:serviceaccount:staging:${name}` }))
  const roleRef = { apiGroup, kind: 'Role', name: 'secrets' }
  for (const object of [
    { ...common, kind: 'Role', rules },
    { ...common, kind: 'RoleBinding', roleRef, subjects },
  ])
    await applyObject(plane.kubeConfig, object, as)
}

test('the policy heeds the operator of a release in the namespace of its account, and nobody else', async () => {
  const release = plane.kubeConfigFor('system:serviceaccount:staging:driveaway-operator')
  for (const name of ['staging', 'staging-clients']) {
    await applyObject(plane.kubeConfig, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, as)
    await mayCreateSecrets(name, ['driveaway-operator', 'another'])
  }
  const by = (config: KubeConfig, object: object) => () => kubeOf(config).create(object as ReturnType<typeof secret>)
  const other = secret('staging', 'z', 'Opaque')
  const createOther = () => by(release, other)().finally(() => deleteObject(plane.kubeConfig, other))
  expect(await refused(createOther)).toContain('driveaway-signing-keys')
  await waitFor('the right', by(release, secret('staging', 'driveaway-signing-keys', 'Opaque')))
  await waitFor('the other right', by(release, secret('staging-clients', 'y', 'rates.driveaway.dev/client-secret')))
  const another = plane.kubeConfigFor('system:serviceaccount:staging:another')
  expect(await outcome(by(another, secret('staging', 'x', 'Opaque'))())).toBe('done')
})

test.each(['of-others', 'driveaway-of-others', 'rates-of-others'])(
  'the operator neither deletes the ConfigMap %s nor gives it the label',
  async (name) => {
    await refused(async () => {
      await applyObject(plane.kubeConfig, configMap(name), as)
      return deleteObject(operator, configMap(name))
    })
    const labelled = configMap(name, { [PUBLISHED_LABEL]: 'rates' })
    expect(await outcome(applyObject(operator, labelled, as))).toContain('carry the label')
    expect(await outcome(deleteObject(plane.kubeConfig, configMap(name)))).toBe('done')
  },
)

const part = { kind: 'clients', of: '7', part: 0, parts: 1, text: 'invented' } as const
const written = [
  ...[RATES_INDEX, CLIENTS_INDEX].flatMap((name) => [name, name + HISTORY_SUFFIX]),
  ...[PUBLIC_KEYS, ADMITTED_RECORD],
  ...READABLE_VERSIONS.map((formatVersion) => namedShard({ ...part, formatVersion }).name),
  namedShard({ ...part, kind: 'rates', of: 'au-vic-fy27', formatVersion: FORMAT_VERSION }).name,
  storedNoticePage('driveaway', { title: '', opening: '', sections: [] }).parts[0]!.metadata.name,
]

test.each(written)('the operator changes and deletes its ConfigMap %s, whoever took the label off', async (name) => {
  await refused(async () => {
    await applyObject(plane.kubeConfig, configMap('of-others'), as)
    return deleteObject(operator, configMap('of-others'))
  })
  await applyObject(plane.kubeConfig, configMap(name), as)
  expect(await outcome(applyObject(operator, { ...configMap(name), data: { x: 'y' } } as never, as))).toBe('done')
  expect(await outcome(deleteObject(operator, configMap(name)))).toBe('done')
})

test('the operator deletes what carries the label', async () => {
  await applyObject(plane.kubeConfig, configMap('of-ours', { [PUBLISHED_LABEL]: 'rates' }), as)
  expect(await outcome(deleteObject(operator, configMap('of-ours')))).toBe('done')
})

test('a namespace that goes takes its rate sets with it; until then they stay, and for everybody else they still do', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' } }
  await applyObject(plane.kubeConfig, namespace, as)
  const metadata = { name: 'au-fy27', namespace: 'going' }
  const set = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata, spec: inventedSet('AU') }
  await applyObject(plane.kubeConfig, set, as)
  const path = '/apis/rates.driveaway.dev/v1alpha1/namespaces/going/ratesets'
  const deleteAll = (user: KubeConfig) => requestKube(user, { method: 'DELETE', path })
  const controller = plane.kubeConfigFor(CONTROLLER)
  const deleteAnew = () => applyObject(plane.kubeConfig, set, as).then(() => deleteAll(controller))
  expect(await refused(deleteAnew)).toContain('withdrawn')
  await deleteObject(plane.kubeConfig, namespace)
  await waitFor('the namespace to be terminating', async () => {
    const found = await kubeOf(plane.kubeConfig).get<V1Namespace>(namespace)
    return found?.status?.phase === 'Terminating'
  })
  expect(await outcome(deleteAll(plane.kubeConfig))).toContain('withdrawn')
  expect(await outcome(deleteObject(plane.kubeConfig, set))).toContain('withdrawn')
  // The server knows of the deletion from a cache of its own.
  await waitFor('the controller to be let through', () => deleteAll(controller))
  expect(await kubeOf(plane.kubeConfig).get(set)).toBeUndefined()
})
