import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AuthorizationV1Api, type KubernetesObject, type V1ClusterRole } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { driveaway } from '../cli/driveaway.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { applySurroundings } from '../operator/manifests.ts'
import { render } from './render.ts'

// The roles of the chart of the kinds, asked of a real API server.
const folder = temporaryDirectory('roles')
const as = { fieldManager: 'test', force: true }
let plane: ControlPlane
let roles: KubernetesObject[]
beforeAll(async () => {
  plane = await startControlPlane()
  await applySurroundings(plane.kubeConfig)
  roles = (await render('driveaway-crds', 'default')).filter(({ kind }) => kind === 'ClusterRole')
  for (const role of roles) await applyObject(plane.kubeConfig, role, as)
}, 120_000)
afterAll(async () => {
  await plane?.stop()
  folder.remove()
})

/** Gives a person one of the roles in a namespace, as a RoleBinding does. */
async function bind(user: string, role: string, namespace = 'driveaway'): Promise<void> {
  await applyObject(
    plane.kubeConfig,
    {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
      metadata: { name: `${user}-${role}`, namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    } as KubernetesObject,
    as,
  )
}

async function may(user: string, verb: string, resource: string, subresource = ''): Promise<boolean> {
  const attributes = { verb, resource, subresource, group: 'rates.driveaway.dev', namespace: 'driveaway' }
  const api = plane.kubeConfigFor(user).makeApiClient(AuthorizationV1Api)
  const { status } = await api.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes: attributes } } })
  return status?.allowed ?? false
}

test('two of the roles join view and edit, and neither of these gains a Secret or a door to pods', () => {
  const joining = roles.filter(({ metadata }) => metadata?.labels)
  const labels = Object.fromEntries(joining.map(({ metadata }) => [metadata?.name, metadata?.labels]))
  expect(labels).toEqual({
    'driveaway-view': { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
    'driveaway-edit': { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' },
  })
  for (const { rules } of joining as V1ClusterRole[])
    expect(rules?.flatMap(({ apiGroups }) => apiGroups)).toEqual(['rates.driveaway.dev'])
})

test('who views reads both kinds and changes neither; who edits changes both, but not what the operator says of them', async () => {
  await bind('viewer', 'driveaway-view')
  await bind('editor', 'driveaway-edit')
  for (const kind of ['ratesets', 'showroomclients']) {
    for (const verb of ['get', 'list', 'watch']) expect(await may('viewer', verb, kind)).toBe(true)
    for (const verb of ['create', 'update', 'patch', 'delete', 'deletecollection'])
      expect([verb, await may('viewer', verb, kind), await may('editor', verb, kind)]).toEqual([verb, false, true])
    expect(await may('editor', 'patch', kind, 'status')).toBe(false)
  }
})

test('driveaway status needs the role of the status beside that of a viewer', async () => {
  process.env['KUBECONFIG'] = plane.kubeconfigFor('on-call')
  await bind('on-call', 'driveaway-view')
  const status = () => driveaway(['status', '--namespace', 'driveaway'])
  expect(await status()).toMatchObject({ status: 3, stderr: expect.stringContaining('endpointslices') })
  await bind('on-call', 'driveaway-status')
  expect(await status()).toMatchObject({ status: 1, stderr: expect.stringContaining('no rate set was found') })
})

test('driveaway backup needs its role in the namespace of the release and in that of the Secrets', async () => {
  const keys = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'driveaway-signing-keys', namespace: 'driveaway' },
  }
  await kubeOf(plane.kubeConfig).create({ ...keys, type: 'Opaque' } as never)
  mkdirSync(folder.path, { recursive: true })
  const { stdout } = await driveaway(['backup-key', '--out', join(folder.path, 'identity.txt')])
  process.env['KUBECONFIG'] = plane.kubeconfigFor('backup')
  const backup = (to: string) =>
    driveaway(['backup', join(folder.path, to), '--recipient', stdout.trim(), '--namespace', 'driveaway'])
  await bind('backup', 'driveaway-backup')
  expect(await backup('refused')).toMatchObject({ status: 3, stderr: expect.stringContaining('driveaway-clients') })
  await bind('backup', 'driveaway-backup', 'driveaway-clients')
  const written = await backup('written')
  expect(written).toMatchObject({ status: 0 })
  expect(written.stderr).not.toContain('could not be left')
  // Nor may it write any other ConfigMap.
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'driveaway-rates', namespace: 'driveaway' } }
  await expect(applyObject(plane.kubeConfigFor('backup'), other, as)).rejects.toThrow('forbidden')
})
