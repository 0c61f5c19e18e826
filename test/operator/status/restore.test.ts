import { expect, test } from 'vitest'
import { getObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import type { ShowroomClientObject, ShowroomClientStatus } from '../../../operator/showroom-client/object.ts'
import { StatusWriter } from '../../../operator/status/write-status.ts'
import { startWorld } from '../world.ts'

const reference = {
  apiVersion: 'rates.driveaway.dev/v1alpha1',
  kind: 'ShowroomClient',
  metadata: { name: 'northside', namespace: 'driveaway' },
}

function status(reason: string): ShowroomClientStatus {
  const times = { observedGeneration: 1, lastTransitionTime: '2026-11-21T00:00:00Z' }
  return {
    observedGeneration: 1,
    conditions: [{ type: 'Ready', status: 'True', reason, message: 'as it is', ...times }],
  }
}

test('after a restore of etcd, which takes versions back, statuses are written again without a restart', async () => {
  const world = await startWorld()
  try {
    const stored = async () => {
      const object = await getObject(world.controlPlane.kubeConfig, reference)
      delete object?.metadata?.managedFields
      return object as unknown as ShowroomClientObject
    }
    const credentials = [{ secretRef: { name: 'northside' } }]
    await world.applyClient('northside', { displayName: 'Invented', showroomCodes: ['MEL01'], grants: [], credentials })
    const turn = () => Promise.resolve()
    const kube = kubeOf(world.controlPlane.kubeConfigFor('driveaway-operator'))
    const statuses = new StatusWriter<ShowroomClientStatus>({ kube, announce: () => Promise.resolve(), turn })
    await statuses.write(await stored(), status('One'))
    const restore = await world.controlPlane.backUp()
    await statuses.write(await stored(), status('Two'))
    await statuses.write(await stored(), status('Three'))
    await restore()
    // The watch brings the object as it was: an older version, with the status of then.
    const restored = await stored()
    expect(restored.status).toEqual(status('One'))
    await statuses.write(restored, status('Three'))
    expect((await stored()).status).toEqual(status('Three'))
    await statuses.write(await stored(), status('Four'))
    expect((await stored()).status).toEqual(status('Four'))
    // Exactly the version over which the last status was written.
    const again = await world.controlPlane.backUp()
    const listed = await stored()
    await statuses.write(listed, status('Five'))
    expect(statuses.current(listed)).toEqual(status('Five'))
    await again()
    const same = await stored()
    expect([same.metadata.resourceVersion, same.status]).toEqual([listed.metadata.resourceVersion, status('Four')])
    await statuses.write(same, status('Five'))
    expect((await stored()).status).toEqual(status('Five'))
  } finally {
    await world.stop()
  }
}, 120_000)
