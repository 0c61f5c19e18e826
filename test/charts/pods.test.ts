import type {
  KubernetesObject,
  V1Container,
  V1PodSpec,
  V1PodTemplateSpec,
  V1StatefulSetSpec,
} from '@kubernetes/client-node'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { charts, elsewhere, environments, render, valuesOf } from './render.ts'

const COMPONENTS = ['operator', 'pricing', 'inventory', 'worker', 'nats']

/** The pods of a release by component, that of `helm test` among them. */
async function podsOf(values: string[] = []): Promise<Map<string, V1PodSpec>> {
  const objects = await render('driveaway', 'driveaway', [...valuesOf('production-apac'), ...values])
  return new Map(
    objects.flatMap((object) => {
      const spec = specOf(object)
      return spec ? [[object.metadata?.name?.replace('driveaway-', '') ?? '', spec] as const] : []
    }),
  )
}

function specOf(object: KubernetesObject): V1PodSpec | undefined {
  if (object.kind === 'Pod') return (object as { spec?: V1PodSpec }).spec
  return (object as { spec?: { template?: V1PodTemplateSpec } }).spec?.template?.spec
}

const containerOf = (pods: Map<string, V1PodSpec>, name: string): V1Container => pods.get(name)!.containers[0]!
const valuePath = (component: string) => (component === 'nats' ? 'nats.embedded' : component)

test('no image has a name of somebody else’s registry, and without a registry nothing is rendered', async () => {
  const pods = await podsOf()
  expect([...pods.keys()].sort()).toEqual([...COMPONENTS, 'release-test'].sort())
  for (const [name] of pods) expect(containerOf(pods, name).image).toMatch(/^registry\.example\/team\/driveaway\//)
  await expect(podsOf(['--set', 'image.registry='])).rejects.toThrow('image.registry is required: the registry')
})

test('each image is taken by its digest where one is given', async () => {
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`
  const set = ['platform', 'worker', 'nats'].flatMap((name, at) => [
    '--set',
    `image.${name}.digest=${digest('abc'[at]!)}`,
  ])
  const pods = await podsOf(set)
  const images = Object.fromEntries([...pods].map(([name]) => [name, containerOf(pods, name).image?.split('@')[1]]))
  const platform = digest('a')
  expect(images).toEqual({
    ...{ operator: platform, pricing: platform, inventory: platform, 'release-test': platform },
    ...{ worker: digest('b'), nats: digest('c') },
  })
})

test('every container says how much of the node’s disk it asks for, and at most takes', async () => {
  const pods = await podsOf()
  for (const [name] of pods) {
    const { requests, limits } = containerOf(pods, name).resources ?? {}
    expect([name, requests?.['ephemeral-storage'], limits?.['ephemeral-storage']]).toEqual([
      ...[name, expect.stringMatching(/Mi$/), expect.stringMatching(/Mi$/)],
    ])
  }
})

test('an inventory pod has the memory that many hostile uploads at once take', async () => {
  const { memory = '' } = containerOf(await podsOf(), 'inventory').resources?.limits ?? {}
  expect(Number(/^(\d+)Mi$/.exec(memory)?.[1])).toBeGreaterThan(575)
})

test('messages that NATS keeps in its pod do not count against the limit of the container', async () => {
  const pods = await podsOf(['--set', 'nats.embedded.storage.ephemeral=true'])
  expect(containerOf(pods, 'nats').resources?.limits).toEqual({ memory: '512Mi' })
})

test.each(COMPONENTS)(
  'the pods of %s have variables, a place and a priority of their own, beside those of all',
  async (component) => {
    const path = valuePath(component)
    const own = {
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      ...{
        priorityClassName: 'high',
        nodeSelector: { disk: 'fast' },
        tolerations: [{ key: 'rates', operator: 'Exists' }],
      },
      affinity: { nodeAffinity: {} },
    }
    const pods = await podsOf([
      ...['--set-json', `${path}.pod=${JSON.stringify(own)}`, '--set', 'nodeSelector.pool=driveaway'],
      ...['--set-json', 'tolerations=[{"key":"all","operator":"Exists"}]'],
    ])
    for (const name of COMPONENTS) {
      const { nodeSelector, tolerations, priorityClassName, affinity } = pods.get(name)!
      const isIts = name === component
      expect(nodeSelector).toEqual({ pool: 'driveaway', ...(isIts && { disk: 'fast' }) })
      expect(tolerations?.map(({ key }) => key)).toEqual(['all', ...(isIts ? ['rates'] : [])])
      expect([priorityClassName, affinity]).toEqual(isIts ? ['high', { nodeAffinity: {} }] : [undefined, undefined])
      const last = containerOf(pods, name).env?.at(-1)
      expect(last?.name === 'HTTPS_PROXY').toBe(isIts)
    }
  },
)

test.each([
  ['operator', 'NODE_OPTIONS', '--max-old-space-size=512', '--max-old-space-size=256 --max-semi-space-size=4'],
  ['operator', 'MALLOC_ARENA_MAX', '4', '1'],
  ['operator', 'MALLOC_MMAP_THRESHOLD_', '262144', '131072'],
  ['operator', 'MALLOC_TRIM_THRESHOLD_', '262144', '131072'],
  ['worker', 'NODE_OPTIONS', '--max-old-space-size=1024', '--max-old-space-size=512'],
])('of the %s, %s can be set, and stands once', async (component, variable, value, byDefault) => {
  const env = JSON.stringify([{ name: variable, value }])
  const valuesIn = (pods: Awaited<ReturnType<typeof podsOf>>) =>
    containerOf(pods, component).env?.flatMap((each) => (each.name === variable ? each.value : []))
  expect(valuesIn(await podsOf(['--set-json', `${component}.pod.env=${env}`]))).toEqual([value])
  expect(valuesIn(await podsOf())).toEqual([byDefault])
})

test('KEDA asks the NATS of this release, or the address that is given for a NATS elsewhere, and never none', async () => {
  const rendering = (values: string[]) => render('driveaway', 'driveaway', [...valuesOf('production-apac'), ...values])
  const asked = async (values: string[]) =>
    JSON.stringify((await rendering(values)).find(({ kind }) => kind === 'ScaledObject'))
  expect(await asked([])).toContain('http://driveaway-nats.driveaway.svc:8222/')
  await expect(rendering([...elsewhere, '--set', 'worker.keda.monitoringEndpoint='])).rejects.toThrow(
    'worker.keda.monitoringEndpoint is required',
  )
  expect(await asked(elsewhere)).toContain('http://nats.example:8222/')
})

test('the ingress of each environment lets through the largest batch that the API takes', async () => {
  const source = readFileSync(join(charts, '../api/inventory/operations/create-batch.ts'), 'utf8')
  const [, largest] = /LARGEST_BATCH = (\d+) \* 1024 \* 1024/.exec(source) ?? []
  const exposed = environments.filter((environment) => environment !== 'dev')
  for (const environment of exposed) {
    const objects = await render('driveaway', 'driveaway', valuesOf(environment))
    const ingresses = objects.filter(({ kind }) => kind === 'Ingress')
    expect(ingresses.length).toBeGreaterThan(0)
    for (const { metadata } of ingresses) {
      const [, megabytes] =
        /^(\d+)m$/.exec(metadata?.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '') ?? []
      expect(Number(megabytes)).toBeGreaterThan(Number(largest))
    }
  }
})

test('the volumes of NATS are of the class that is given, and else of the default one', async () => {
  const claimOf = async (values: string[] = []) => {
    const objects = await render('driveaway', 'driveaway', [...valuesOf('production-apac'), ...values])
    const { spec } = objects.find(({ kind }) => kind === 'StatefulSet') as KubernetesObject & {
      spec: V1StatefulSetSpec
    }
    return spec.volumeClaimTemplates?.[0]?.spec
  }
  expect(await claimOf()).toEqual({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } })
  const given = await claimOf(['--set', 'nats.embedded.storage.className=fast'])
  expect(given).toMatchObject({ storageClassName: 'fast' })
})

test('a volume of NATS that is smaller than what the streams may store is not rendered, and the message names both', async () => {
  const rendered = (size: string, more: string[] = []) => {
    const values = ['--set', `nats.embedded.storage.size=${size}`, '--set', 'nats.storeMegabytes=4096', ...more]
    return render('driveaway', 'driveaway', [...valuesOf('production-apac'), ...values])
  }
  const less = /nats\.embedded\.storage\.size: \w+ is less than the streams may store, 4096Mi/
  await expect(rendered('4095Mi')).rejects.toThrow(less)
  await expect(rendered('4194303Ki')).rejects.toThrow(less)
  await expect(rendered('4Gi')).resolves.not.toHaveLength(0)
  await expect(rendered('1Ti')).resolves.not.toHaveLength(0)
})
