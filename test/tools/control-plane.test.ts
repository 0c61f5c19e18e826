import { CoreV1Api, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processIdentity } from '../../tools/stack/process-identity.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
})
afterAll(() => plane?.stop())

test('the administrator may do everything, another user only what RBAC grants that name', async () => {
  const admin = plane.kubeConfig.makeApiClient(CoreV1Api)
  await admin.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'one' } } })
  const reader = plane.kubeConfigFor('reader').makeApiClient(CoreV1Api)
  const read = () => reader.readNamespacedConfigMap({ namespace: 'default', name: 'one' })
  await expect(read()).rejects.toMatchObject({ code: 403 })
  const rbac = plane.kubeConfig.makeApiClient(RbacAuthorizationV1Api)
  const metadata = { name: 'reader' }
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
  await rbac.createNamespacedRole({ namespace: 'default', body: { metadata, rules } })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }]
  await rbac.createNamespacedRoleBinding({ namespace: 'default', body: { metadata, roleRef, subjects } })
  await expect.poll(read, { timeout: 10_000 }).toMatchObject({ metadata: { name: 'one' } })
})

test('kube-apiserver comes back on the same address with the same data', async () => {
  const core = plane.kubeConfig.makeApiClient(CoreV1Api)
  await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'kept' } } })
  const pid = plane.apiServerPid()
  await plane.stopApiServer()
  expect(processIdentity(pid)).toBeUndefined()
  await expect(core.listNamespace()).rejects.toThrow('fetch failed')
  await plane.startApiServer()
  const kept = await core.readNamespacedConfigMap({ namespace: 'default', name: 'kept' })
  expect(kept.metadata?.name).toBe('kept')
})
