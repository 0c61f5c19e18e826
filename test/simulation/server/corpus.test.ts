import { afterAll, beforeAll, describe } from 'vitest'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { installKinds } from '../../crds/install-kinds.ts'
import { casesOfReads } from './cases-of-reads.ts'
import { casesOfWrites } from './cases-of-writes.ts'
import { modelKube } from './model-kube.ts'
import { ModelServer } from './model-server.ts'
import type { Subject } from './subject.ts'

// Every case runs against the model and against a real kube-apiserver: what the model says is what the server does.

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await installKinds(plane.kubeConfig)
}, 120_000)
afterAll(() => plane.stop())

const model = (): Subject => {
  const server = new ModelServer(() => new Date())
  return { kube: modelKube(server), forget: async () => server.storage.compact() }
}
const real = (): Subject => ({ kube: kubeOf(plane.kubeConfig), forget: () => plane.startApiServer() })

describe.each([
  ['the model', model],
  ['kube-apiserver', real],
])('%s', (_, subjectOf) => {
  casesOfWrites(subjectOf)
  casesOfReads(subjectOf)
})
