import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject, V1CustomResourceDefinition } from '@kubernetes/client-node'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetDigest } from '#rates/published/encode-rates.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startControlPlane } from '../harness/control-plane.ts'
import { waitFor } from '../harness/wait-for.ts'
import { installKinds } from './install-kinds.ts'

const manifests = join(import.meta.dirname, '../../crds/manifests')
const definition = (file: string) => parse(readFileSync(join(manifests, file), 'utf8')) as V1CustomResourceDefinition
const OPTIONS = { fieldManager: 'test', force: true }

/** Paths of every `default` of a schema: a property may be called so, a keyword may not. */
function defaultsIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, ...keywords } = schema as { properties?: Record<string, unknown> }
  const own = 'default' in keywords ? [path] : []
  const inside = Object.entries({ ...keywords, ...properties })
  return [...own, ...inside.flatMap(([name, each]) => defaultsIn(each, `${path}.${name}`))]
}

test.each(['ratesets.yaml', 'showroomclients.yaml'])('%s has no default, which would change the digests of old objects', (file) => {
  for (const { name, schema } of definition(file).spec.versions)
    expect(defaultsIn(schema?.openAPIV3Schema?.properties?.['spec'], name)).toEqual([])
})

test('a set has the same digest under the next version of its kind', async () => {
  const controlPlane = await startControlPlane()
  try {
    await installKinds(controlPlane.kubeConfig)
    const kube = kubeOf(controlPlane.kubeConfig)
    const file = join(import.meta.dirname, '../../rates/sets/au/fy27.yaml')
    const set = parse(readFileSync(file, 'utf8')) as { spec: RateSetSpec }
    const metadata = { name: 'au-fy27', namespace: 'default' }
    const read = (version: string) => {
      const reference = { apiVersion: `rates.driveaway.dev/${version}`, kind: 'RateSet', metadata }
      return kube.get<KubernetesObject & { spec: RateSetSpec }>(reference)
    }
    await kube.apply({ ...set, apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata }, OPTIONS)
    const crd = definition('ratesets.yaml')
    const [present] = crd.spec.versions
    const versions = [present, { ...present, name: 'v1beta1', storage: false }]
    await kube.apply({ ...crd, spec: { ...crd.spec, versions } } as never, OPTIONS)
    await waitFor('v1beta1 to be served', () => read('v1beta1'))
    const digests = [set, await read('v1alpha1'), await read('v1beta1')].map((each) => rateSetDigest(each!.spec, []))
    expect(new Set(digests).size).toBe(1)
  } finally {
    await controlPlane.stop()
  }
})
