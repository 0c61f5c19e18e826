import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordBackup } from '#backup/cluster/record.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { showBackups } from '../../operator/loop/backup-metric.ts'
import { driveaway } from '../cli/driveaway.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { applySurroundings } from '../operator/manifests.ts'

// The time that a backup leaves, as the operator reads it by its own rights and shows it to Prometheus.
const folder = temporaryDirectory('backup-age')
const namespace = 'driveaway'
const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'driveaway-backup', namespace } }

let plane: ControlPlane
let kube: Kube
let recipient: string
beforeAll(async () => {
  plane = await startControlPlane()
  await applySurroundings(plane.kubeConfig)
  kube = kubeOf(plane.kubeConfig)
  process.env['KUBECONFIG'] = plane.kubeconfig
  recipient = (await driveaway(['backup-key', '--out', join(folder.path, 'identity.txt')])).stdout.trim()
}, 120_000)
afterAll(async () => {
  await plane.stop()
  folder.remove()
})

const keys = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'driveaway-signing-keys', namespace } }
const makeKeys = () => kube.create({ ...keys, type: 'Opaque' } as never)
beforeEach(async () => {
  process.env['KUBECONFIG'] = plane.kubeconfig
  await Promise.all([kube.delete(reference), kube.delete(keys)])
})

async function shown(by: Pick<Kube, 'get'> = kubeOf(plane.kubeConfigFor('driveaway-operator'))) {
  const registry = new Registry()
  showBackups(registry, { kube: by, namespace })
  const [metric] = await registry.getMetricsAsJSON()
  return Object.fromEntries(metric!.values.map(({ labels, value }) => [labels.of, value]))
}

const backUp = (to: string) =>
  driveaway(['backup', join(folder.path, to), '--recipient', recipient, '--namespace', namespace])

test('a backup that lacks something leaves no time, and one that is complete leaves its own', async () => {
  expect(await shown()).toEqual({ cluster: 0, nats: 0 })
  expect(await backUp('lacking')).toMatchObject({ status: 1 })
  expect(await shown()).toEqual({ cluster: 0, nats: 0 })
  await makeKeys()
  const before = Math.floor(Date.now() / 1000)
  const made = await backUp('complete')
  expect(made).toMatchObject({ status: 0 })
  expect(made.stderr).not.toContain('could not be left')
  const { cluster, nats } = await shown()
  expect(cluster).toBeGreaterThanOrEqual(before)
  expect(cluster).toBeLessThanOrEqual(Date.now() / 1000)
  expect(nats).toBe(0)
})

test('a backup without NATS leaves the time of the last one with it', async () => {
  await recordBackup(kube, namespace, { takenAt: '2026-11-20T00:00:00.000Z', hasNats: true })
  await recordBackup(kube, namespace, { takenAt: '2026-11-21T00:00:00.000Z', hasNats: false })
  expect(await shown()).toEqual({ cluster: Date.UTC(2026, 10, 21) / 1000, nats: Date.UTC(2026, 10, 20) / 1000 })
})

test('what is no time is no backup, and a server that does not answer shows nothing', async () => {
  await kube.create({ ...reference, data: { cluster: 'yesterday' } } as never)
  expect(await shown()).toEqual({ cluster: 0, nats: 0 })
  expect(await shown({ get: () => Promise.reject(new Error('no answer')) })).toEqual({})
})

test('a job that may not leave the time makes its backup, and says so', async () => {
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader' } }
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }]
  const binding = { ...role, kind: 'ClusterRoleBinding', subjects: [{ kind: 'User', name: 'reader' }] }
  const apiGroup = 'rbac.authorization.k8s.io'
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'reader' }
  const subjects = [{ apiGroup, kind: 'User', name: 'reader' }]
  for (const object of [{ ...role, rules }, { ...binding, roleRef, subjects }])
    await kube.apply(object as never, { fieldManager: 'test' })
  process.env['KUBECONFIG'] = plane.kubeconfigFor('reader')
  await makeKeys()
  const { status, stderr } = await backUp('by-reader')
  expect(stderr).toContain('so DriveawayBackupTooOld will fire')
  expect(status).toBe(0)
})
