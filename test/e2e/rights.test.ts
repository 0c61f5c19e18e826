import { expect, inject, test } from 'vitest'
import { kubectl } from './release.ts'

const staging = inject('staging')

/** What the API server says of a service account of the release; of a part of the resource after `#`. */
async function may(account: string, verb: string, resource: string, namespace = 'staging'): Promise<boolean> {
  const [name = '', part = ''] = resource.split('#')
  const subject = `--as=system:serviceaccount:staging:driveaway-${account}`
  const about = [subject, `--subresource=${part}`, `--namespace=${namespace}`]
  // `can-i` ends with 1 where the answer is no.
  const said = await kubectl(staging, ['auth', 'can-i', verb, name, ...about]).catch(String)
  return said.startsWith('yes')
}

const WRITING = ['create', 'update', 'patch', 'delete', 'deletecollection']
const NAMESPACED = ['configmaps', 'secrets', 'pods', 'pods#exec', 'deployments.apps', 'roles.rbac.authorization.k8s.io']
const KINDS = ['ratesets.rates.driveaway.dev', 'showroomclients.rates.driveaway.dev']

test('the inventory API reads what is published and no Secret', async () => {
  for (const verb of ['get', 'list', 'watch']) {
    expect(await may('inventory', verb, 'configmaps')).toBe(true)
    for (const secrets of ['secrets/driveaway-signing-keys', 'secrets'])
      expect(await may('inventory', verb, secrets)).toBe(false)
  }
})

test('the pricing API reads what is published and the signing keys, and nothing else', async () => {
  for (const verb of ['get', 'list', 'watch']) {
    expect(await may('api', verb, 'configmaps')).toBe(true)
    expect(await may('api', verb, 'secrets/driveaway-signing-keys')).toBe(true)
    expect(await may('api', verb, 'secrets')).toBe(false)
    expect(await may('api', verb, 'secrets', 'staging-clients')).toBe(false)
    expect(await may('api', verb, 'configmaps', 'production')).toBe(false)
    for (const kind of KINDS) expect(await may('api', verb, kind)).toBe(false)
  }
})

test.each(['api', 'inventory'])('the %s account writes nothing', async (account) => {
  for (const resource of [...NAMESPACED, ...KINDS]) {
    for (const verb of WRITING) expect(`${verb} ${resource} ${await may(account, verb, resource)}`).toMatch(/false$/)
  }
})

test("the operator's right to Secrets ends at its two namespaces", async () => {
  expect(await may('operator', 'get', 'secrets/driveaway-signing-keys')).toBe(true)
  expect(await may('operator', 'list', 'secrets', 'staging-clients')).toBe(true)
  for (const verb of ['get', 'list', 'watch', ...WRITING]) {
    for (const namespace of ['production', 'production-clients', 'kube-system', 'default']) {
      expect(`${verb} ${namespace} ${await may('operator', verb, 'secrets', namespace)}`).toMatch(/false$/)
    }
  }
  expect(await may('operator', 'get', 'secrets/another')).toBe(false)
  expect(await may('operator', 'delete', 'secrets', 'staging-clients')).toBe(false)
})

test('the operator changes no spec, no pod and no right', async () => {
  for (const kind of KINDS) {
    for (const verb of WRITING) expect(await may('operator', verb, kind)).toBe(false)
    expect(await may('operator', 'patch', `${kind}#status`)).toBe(true)
  }
  for (const resource of NAMESPACED.slice(2)) {
    for (const verb of WRITING) expect(`${verb} ${resource} ${await may('operator', verb, resource)}`).toMatch(/false$/)
  }
})

test('the worker and NATS are given no token to the API server', async () => {
  const path =
    '{range .items[*]}{.metadata.labels.app\\.kubernetes\\.io/component} {.spec.automountServiceAccountToken}{"\\n"}{end}'
  const lines = (await kubectl(staging, ['get', 'pods', '-o', `jsonpath=${path}`])).split('\n')
  for (const component of ['worker', 'nats']) expect(lines).toContain(`${component} false`)
})
