import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import type { StoredHistory } from '#rates/published/history.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld } from './world.ts'

type Event = KubernetesObject & { reason: string; type: string; regarding: { name: string } }

test('an index that somebody deleted is published anew, and an event and a metric tell it', async () => {
  const world = await startWorld()
  try {
    const { healthUrl } = await world.startOperator()
    await world.applySet(inventedSet('AU', { fee: '1.00' }))
    const before = await waitFor('the index', () => world.published().catch(() => undefined))
    await world.remove('ConfigMap', 'driveaway-rates')
    const events = await waitFor('the event', async () => {
      const all = await world.list<Event>('/apis/events.k8s.io/v1/namespaces/driveaway/events')
      const told = all.filter(({ reason }) => reason === 'IndexRepaired')
      return told.length > 0 && told
    })
    expect(events.map(({ type, regarding }) => [type, regarding.name])).toEqual([['Warning', 'driveaway-rates']])
    const metrics = await (await fetch(`${healthUrl}/metrics`)).text()
    expect(metrics).toContain('driveaway_index_repairs_total{kind="rates"} 1\n')
    expect(metrics).toContain('driveaway_index_repairs_total{kind="clients"} 0\n')
    expect((await world.published()).index.release).toBe(before.index.release)
  } finally {
    await world.stop()
  }
}, 120_000)

test.each(['driveaway-rates', 'driveaway-rates-history'])(
  '%s gets back the label that somebody took off',
  async (name) => {
    const world = await startWorld()
    try {
      await world.startOperator()
      await world.applySet(inventedSet('AU', { fee: '1.00' }))
      await waitFor('the index', () => world.published().catch(() => undefined))
      const path = `/api/v1/namespaces/driveaway/configmaps/${name}`
      const { kubeConfig } = world.controlPlane
      const contentType = 'application/merge-patch+json'
      const label = 'rates.driveaway.dev/published'
      await requestKube(kubeConfig, {
        method: 'PATCH',
        path,
        contentType,
        body: { metadata: { labels: { [label]: null } } },
      })
      const labelNow = async () =>
        (await requestKube<V1ConfigMap>(kubeConfig, { method: 'GET', path })).metadata?.labels?.[label]
      await waitFor('the label', labelNow)
    } finally {
      await world.stop()
    }
  },
  120_000,
)

test('a history that somebody emptied is written again, though nothing is to be published', async () => {
  const world = await startWorld()
  try {
    await world.startOperator()
    await world.applySet(inventedSet('AU', { fee: '1.00' }))
    await waitFor('the index', () => world.published().catch(() => undefined))
    const path = '/api/v1/namespaces/driveaway/configmaps/driveaway-rates-history'
    const { kubeConfig } = world.controlPlane
    const historyNow = async () =>
      (await requestKube<V1ConfigMap>(kubeConfig, { method: 'GET', path })).data?.['history.json']
    const before = JSON.parse(await waitFor('the history', historyNow)) as StoredHistory
    const contentType = 'application/merge-patch+json'
    await requestKube(kubeConfig, { method: 'PATCH', path, contentType, body: { data: { 'history.json': null } } })
    const after = JSON.parse(await waitFor('the history again', historyNow)) as StoredHistory
    expect(after.index).toEqual(before.index)
  } finally {
    await world.stop()
  }
}, 120_000)
