import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startWatch, type RunningWatch, type WatchOptions } from '#runtime/kube/watch.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { startHalfOpen } from '../../harness/half-open.ts'
import { loadKubeconfig } from '../../../tools/stack/identities.ts'
import { waitFor } from '../../harness/wait-for.ts'

const log = createLog({ name: 'test', level: 'silent' })
const path = '/api/v1/namespaces/default/configmaps'
let plane: ControlPlane
const running: RunningWatch<V1ConfigMap>[] = []

beforeAll(async () => {
  plane = await startControlPlane()
})

afterAll(async () => {
  await Promise.all(running.map((watch) => watch.stop()))
  await plane.stop()
})

function watchMaps(options: Partial<WatchOptions<V1ConfigMap>> = {}) {
  const told: [string, V1ConfigMap | undefined][] = []
  const watch = startWatch<V1ConfigMap>({
    kube: kubeOf(plane.kubeConfig),
    path,
    log,
    onChange: (key, object) => told.push([key, object]),
    ...options,
  })
  running.push(watch)
  return { watch, told }
}

function send(method: 'POST' | 'PUT' | 'DELETE', name: string, data?: Record<string, string>) {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: name.split('-')[0] } }, data }
  const target = method === 'POST' ? path : `${path}/${name}`
  return requestKube(plane.kubeConfig, { method, path: target, ...(method === 'DELETE' ? {} : { body }) })
}

test('a watch tells what was there, what changes and what is deleted, without managedFields', async () => {
  await send('POST', 'plain-1', { a: '1' })
  const { watch, told } = watchMaps({ labelSelector: 'of=plain' })
  await watch.synced
  expect(told.map(([key]) => key)).toEqual(['default/plain-1'])
  expect(watch.objects.get('default/plain-1')).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } })
  expect(watch.objects.get('default/plain-1')?.metadata).not.toHaveProperty('managedFields')
  expect(watch.healthy()).toBe(true)
  await send('PUT', 'plain-1', { a: '2' })
  await send('POST', 'plain-2')
  await send('DELETE', 'plain-1')
  await waitFor('three further changes', () => told.length === 4)
  expect(told.slice(1).map(([key, object]) => [key, object?.data?.['a']])).toEqual([
    ['default/plain-1', '2'],
    ['default/plain-2', undefined],
    ['default/plain-1', undefined],
  ])
  expect([...watch.objects.keys()]).toEqual(['default/plain-2'])
  expect(watch.objects.get('default/plain-2')?.metadata).not.toHaveProperty('managedFields')
})

test('a collection larger than a page is read whole', async () => {
  await Promise.all(Array.from({ length: 7 }, (_, index) => send('POST', `paged-${index}`)))
  const { watch } = watchMaps({ labelSelector: 'of=paged', pageSize: 3 })
  await watch.synced
  expect(watch.objects.size).toBe(7)
})

test('a handler that throws or rejects is logged, and the next change is still told', async () => {
  const told: string[] = []
  const { watch } = watchMaps({
    labelSelector: 'of=throwing',
    onSynced: () => {
      throw new Error('not ready')
    },
    onChange: (key) => {
      told.push(key)
      if (told.length === 1) throw new Error('at once')
      return Promise.reject(new Error('later')) as unknown as void
    },
  })
  await watch.synced
  for (const name of ['throwing-1', 'throwing-2', 'throwing-3']) await send('POST', name)
  await waitFor('all three', () => told.length === 3)
})

test('changes flow again after the API server was away, without anything missed', { timeout: 120_000 }, async () => {
  const { watch, told } = watchMaps({ labelSelector: 'of=away' })
  await watch.synced
  await send('POST', 'away-1')
  await waitFor('the first', () => watch.objects.size === 1)
  await plane.stopApiServer()
  await plane.startApiServer()
  await send('POST', 'away-2')
  await send('DELETE', 'away-1')
  await waitFor('both', () => told.length === 3, { timeoutMs: 15_000 })
  expect(told.map(([key, object]) => [key, object === undefined])).toEqual([
    ['default/away-1', false],
    ['default/away-2', false],
    ['default/away-1', true],
  ])
  expect(watch.healthy()).toBe(true)
})

test('what a half-open connection withholds is told after a probe, and a quiet collection is left in peace', async () => {
  const { watch: quiet, told: toldOfQuiet } = watchMaps({ labelSelector: 'of=quiet', silentMs: 500 })
  const way = await startHalfOpen(plane)
  try {
    const { watch, told } = watchMaps({
      ...{ kube: kubeOf(loadKubeconfig(way.kubeconfig)), labelSelector: 'of=silent', silentMs: 1_000, graceMs: 200 },
    })
    await Promise.all([watch.synced, quiet.synced])
    await send('POST', 'silent-1')
    await waitFor('the first', () => told.length === 1)
    way.freeze()
    await send('POST', 'silent-2')
    await send('DELETE', 'silent-1')
    await waitFor('what was withheld', () => told.length === 3, { timeoutMs: 10_000 })
    expect([...watch.objects.keys()]).toEqual(['default/silent-2'])
    expect(toldOfQuiet).toEqual([])
  } finally {
    way.close()
  }
})
