import { join } from 'node:path'
import { AuthorizationV1Api, type KubeConfig } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { apply } from '../../tools/stack/apply.ts'
import { root } from '../../tools/stack/settings.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  const kubectl = { binary: await ensureBinary('kubectl'), kubeconfig: plane.kubeconfig }
  await apply(kubectl, join(root, 'tools/stack/namespaces.yaml'))
  await apply(kubectl, join(root, 'tools/stack/rbac'))
})
afterAll(() => plane?.stop())

async function may(kubeConfig: KubeConfig, question: string): Promise<boolean> {
  const [verb, path = '', namespace] = question.split(' ')
  const [resource, name] = path.split(':')
  const [plain, group = ''] = (resource ?? '').split('@')
  const attributes = { verb, resource: plain?.split('/')[0], subresource: plain?.split('/')[1], group, name, namespace }
  const answer = await kubeConfig
    .makeApiClient(AuthorizationV1Api)
    .createSelfSubjectAccessReview({ body: { spec: { resourceAttributes: attributes } } })
  return answer.status?.allowed ?? false
}

test.each([
  ['driveaway-operator', 'watch ratesets@rates.driveaway.dev driveaway', true],
  ['driveaway-operator', 'patch ratesets/status@rates.driveaway.dev driveaway', true],
  ['driveaway-operator', 'update ratesets@rates.driveaway.dev driveaway', false],
  ['driveaway-operator', 'delete configmaps driveaway', true],
  ['driveaway-operator', 'list secrets driveaway-clients', true],
  ['driveaway-operator', 'update secrets driveaway-clients', false],
  ['driveaway-operator', 'get secrets:driveaway-signing-keys driveaway', true],
  ['driveaway-operator', 'get secrets:another driveaway', false],
  ['driveaway-operator', 'list secrets kube-system', false],
  ['driveaway-operator', 'list configmaps default', false],
  ['driveaway-api', 'watch configmaps driveaway', true],
  ['driveaway-api', 'update configmaps driveaway', false],
  ['driveaway-api', 'watch secrets:driveaway-signing-keys driveaway', true],
  ['driveaway-api', 'list secrets driveaway', false],
  ['driveaway-inventory', 'watch configmaps driveaway', true],
  ['driveaway-inventory', 'get secrets:driveaway-signing-keys driveaway', false],
  ['driveaway-inventory', 'list secrets driveaway', false],
  ['driveaway-inventory', 'update configmaps driveaway', false],
  ['driveaway-api', 'list secrets driveaway-clients', false],
  ['driveaway-api', 'get ratesets@rates.driveaway.dev driveaway', false],
])('may %s %s: %s', async (user, question, allowed) => {
  await expect.poll(() => may(plane.kubeConfigFor(user), question), { timeout: 5_000 }).toBe(allowed)
})
