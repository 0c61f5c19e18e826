import type { KubernetesObject } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { applyObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { createHolder } from '../../api/load/held.ts'
import { startKubernetesSource } from '../../api/load/kubernetes-source.ts'
import type { ShowroomClientSpec } from '../../operator/showroom-client/object.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type World } from './world.ts'

/** A watch of a version that the server no longer knows is silent; by default that is noticed after 75 seconds. */
const SILENT_SECONDS = 3
const TIMES = { timeoutMs: 90_000 }
const spec = (suspended: boolean): ShowroomClientSpec => ({
  ...{ displayName: 'Invented Motors', showroomCodes: ['MEL01'], grants: ['pricing:quote'], suspended },
  credentials: [{ secretRef: { name: 'northside' } }],
})

/** What an API process holds of this world, followed as an API process follows it. */
function startReader({ controlPlane }: World, silentSeconds = SILENT_SECONDS) {
  const holder = createHolder()
  const log = createLog({ name: 'test', level: 'silent' })
  const kube = kubeOf(controlPlane.kubeConfig)
  const following = { kube, namespace: 'driveaway', holder, log, silentMs: silentSeconds * 1000 }
  const source = startKubernetesSource({ ...following, parts: ['rates', 'clients'] })
  return { stop: source.stop, held: () => holder.read() }
}

/** Takes the server's versions so far ahead that it does not come up to them again by itself while a test runs. */
async function writeMuch({ controlPlane }: World) {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'much', namespace: 'default' } }
  for (let nth = 0; nth < 300; nth += 1) {
    await applyObject(
      controlPlane.kubeConfig,
      { ...object, data: { nth: `${nth}` } },
      { fieldManager: 'test', force: true },
    )
  }
}

// Side by side: each test has a world of its own, and mostly waits for its servers.
test.concurrent(
  'after a restore of etcd, which takes versions and uids back, operator and API go on without a restart',
  async () => {
    const world = await startWorld()
    const reader = startReader(world)
    const change = async (fee: string, isSuspended: boolean, ...more: string[]) => {
      for (const code of ['AU', ...more]) await world.applySet(inventedSet(code, code === 'AU' ? { fee } : {}))
      await world.applyClient('northside', spec(isSuspended))
    }
    /** Waits until this is published, and served by the reader. */
    const served = (fee: string, isSuspended: boolean) =>
      waitFor(
        `fee ${fee}, suspended ${isSuspended}`,
        async () => {
          const { index } = await world.published()
          const { rates, clients } = reader.held()
          const isServed =
            rates?.snapshot.release === index.release && clients?.byId.get('northside')?.suspended === isSuspended
          return isServed && (await world.fee('au-fy27')) === fee
        },
        TIMES,
      )
    try {
      const { child } = await world.startOperator({ WATCH_SILENT_SECONDS: String(SILENT_SECONDS) })
      let exit = 'none'
      void child.exited.then((how) => (exit = how))
      await change('1.00', true)
      await served('1.00', true)
      const restore = await world.controlPlane.backUp()
      await writeMuch(world)
      await change('2.00', false, 'AU_NSW')
      await served('2.00', false)
      const uid = (await world.read('RateSet', 'au-nsw-fy27'))?.metadata?.uid
      await restore()
      // The server knows what it knew then, and so does whoever reads it: an older index with a lower sequence.
      await served('1.00', true)
      await change('3.00', false, 'AU_NSW')
      await served('3.00', false)
      expect((await world.read('RateSet', 'au-nsw-fy27'))?.metadata?.uid).not.toBe(uid)
      await world.until('RateSet', 'au-nsw-fy27', ['Published', 'True'])
      await world.until('ShowroomClient', 'northside', ['Ready', 'True', 'Published'])
      expect(exit).toBe('none')
    } finally {
      await reader.stop()
      await world.stop()
    }
  },
  300_000,
)

test.concurrent(
  'a restore is told and served without waiting for a silence or a relist by the clock',
  async () => {
    const world = await startWorld()
    const never = 3600
    const reader = startReader(world, never)
    const served = (fee: string) =>
      waitFor(
        `fee ${fee}`,
        async () => {
          const { index } = await world.published()
          return reader.held().rates?.snapshot.release === index.release && (await world.fee('au-fy27')) === fee
        },
        TIMES,
      )
    const restoresTold = async () => {
      const events = await world.list<KubernetesObject & { reason: string; regarding: { name: string } }>(
        '/apis/events.k8s.io/v1/namespaces/driveaway/events',
      )
      return events.filter(({ reason }) => reason === 'ServerRestored').map(({ regarding }) => regarding.name)
    }
    try {
      await world.startOperator({ WATCH_SILENT_SECONDS: String(never) })
      await world.applySet(inventedSet('AU', { fee: '1.00' }))
      await served('1.00')
      const restore = await world.controlPlane.backUp()
      await writeMuch(world)
      await world.applySet(inventedSet('AU', { fee: '2.00' }))
      await served('2.00')
      await restore()
      await served('1.00')
      await waitFor('the event', async () => (await restoresTold()).includes('driveaway-rates'), TIMES)
      await world.applySet(inventedSet('AU', { fee: '3.00' }))
      await served('3.00')
    } finally {
      await reader.stop()
      await world.stop()
    }
  },
  300_000,
)
