import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject } from '@kubernetes/client-node'
import { request } from 'undici'
import { parse } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_VERSION } from '#crds/kind.ts'
import { KINDS } from '#crds/outputs.ts'
import type { RateSetStatus } from '#crds/rate-set.ts'
import { applyObject, deleteObject, getObject } from '#runtime/kube/apply.ts'
import { connectionOf } from '#runtime/kube/connection.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { waitFor } from '../harness/wait-for.ts'
import { installKinds } from './install-kinds.ts'

let plane: ControlPlane

beforeAll(async () => {
  plane = await startControlPlane()
  await installKinds(plane.kubeConfig)
})

afterAll(() => plane.stop())

interface RateSet extends KubernetesObject {
  spec: Record<string, unknown> & { rules: Record<string, unknown>[] }
  status?: RateSetStatus
}

const corpus = join(import.meta.dirname, 'corpus/good')

function specimen(file: string): RateSet {
  const object = parse(readFileSync(join(corpus, file), 'utf8')) as RateSet
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } }
}

const apply = (object: RateSet, options = {}) =>
  applyObject(plane.kubeConfig, object, { fieldManager: 'git', force: true, ...options })

const referenceOf = ({ metadata }: RateSet) => ({
  apiVersion: API_VERSION,
  kind: 'RateSet',
  metadata: { name: metadata?.name ?? '', namespace: 'default' },
})

test('pricingCode and financialYear never change, the rest may', async () => {
  const object = specimen('rate-set-least.yaml')
  await apply(object)
  await apply({ ...object, spec: { ...object.spec, timeZone: 'Australia/Perth' } })
  const moved = { ...object, spec: { ...object.spec, pricingCode: 'AU_VIC' } }
  await expect(apply(moved)).rejects.toThrow('pricingCode and financialYear never change; make another object')
  const later = { ...object, spec: { ...object.spec, financialYear: '2027-2028' } }
  await expect(apply(later)).rejects.toThrow('pricingCode and financialYear never change; make another object')
})

test('a rate set is deleted only when it is withdrawn, one by one and all together', async () => {
  const object = specimen('rate-set-quotable-least.yaml')
  await apply(object)
  const refusal = 'expected au-vic-fy27 to be withdrawn before it is deleted: set spec.withdrawn to true'
  const collection = `/apis/${API_VERSION}/namespaces/default/ratesets`
  // A kube-apiserver heeds a policy some moments after it has taken it.
  await waitFor('the policy', async () => {
    const path = `${collection}/au-vic-fy27`
    const trial = requestKube(plane.kubeConfig, { method: 'DELETE', path, query: { dryRun: 'All' } })
    return trial.then(
      () => false,
      () => true,
    )
  })
  await expect(deleteObject(plane.kubeConfig, referenceOf(object))).rejects.toThrow(refusal)
  const query = { fieldSelector: 'metadata.name=au-vic-fy27' }
  await expect(requestKube(plane.kubeConfig, { method: 'DELETE', path: collection, query })).rejects.toThrow(refusal)
  await apply({ ...object, spec: { ...object.spec, withdrawn: false } })
  await expect(deleteObject(plane.kubeConfig, referenceOf(object))).rejects.toThrow(refusal)
  await apply({ ...object, spec: { ...object.spec, withdrawn: true } })
  expect(await deleteObject(plane.kubeConfig, referenceOf(object))).toBe(true)
})

test('a list is replaced whole by an apply, also what another manager added to it', async () => {
  const object = specimen('rate-set-rules-in-turn.yaml')
  await apply(object)
  const added = [...object.spec.rules, { ...object.spec.rules[0], component: 'ANOTHER' }]
  await apply({ ...object, spec: { ...object.spec, rules: added } }, { fieldManager: 'someone' })
  await apply(object)
  const stored = await getObject<RateSet>(plane.kubeConfig, referenceOf(object))
  expect(stored?.spec.rules).toHaveLength(object.spec.rules.length)
})

test('the spec is stored as it was sent, so that digests are the same everywhere', async () => {
  const object = specimen('rate-set-least.yaml')
  const stored = await apply(object)
  expect(stored.spec).toEqual(object.spec)
})

test('the status is its own, and kubectl prints year, readiness, digest, examples and age', async () => {
  const object = specimen('rate-set-least.yaml')
  const { metadata } = await apply(object)
  const digest = `sha256:${'0123456789ab'.repeat(6).slice(0, 64)}`
  const condition = { status: 'True', reason: 'Published', message: '', observedGeneration: metadata?.generation ?? 0 }
  const lastTransitionTime = '2026-11-21T00:00:00Z'
  const status = {
    observedGeneration: metadata?.generation,
    conditions: ['Ready', 'Loaded'].map((type) => ({ type, ...condition, lastTransitionTime })),
    digest,
    release: digest,
    shortDigest: '0123456789ab',
    examples: { passed: 41, total: 42, summary: '41/42' },
    covered: { startDate: '2026-07-01', endDate: '2027-06-30' },
    evidence: { official: 3, estimate: 1 },
    attestation: 'header.payload.signature',
  } as RateSetStatus
  const reported = { ...referenceOf(object), status } as unknown as RateSet
  const stored = await apply(reported, { fieldManager: 'operator', subresource: 'status' })
  expect(stored.status).toEqual(status)
  const { columns, cells } = await printed('ratesets', 'au-fy27')
  expect(columns).toEqual(['Name', 'Year', 'Ready', 'Loaded', 'Digest', 'Examples', 'Age'])
  expect(cells.slice(0, 6)).toEqual(['au-fy27', '2026-2027', 'True', 'True', '0123456789ab', '41/42'])
})

/** What `kubectl get` shows of one object, by the server's own table. */
async function printed(plural: string, name: string) {
  const { server, headers, dispatcher } = await connectionOf(plane.kubeConfig)
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const url = `${server}/apis/${API_VERSION}/namespaces/default/${plural}/${name}`
  const { body } = await request(url, { headers: { ...headers, accept }, dispatcher })
  const table = (await body.json()) as {
    columnDefinitions: { name: string; priority: number }[]
    rows: { cells: unknown[] }[]
  }
  const shown = table.columnDefinitions.map(({ priority }) => priority === 0)
  return {
    columns: table.columnDefinitions.filter((_, at) => shown[at]).map((column) => column.name),
    cells: (table.rows[0]?.cells ?? []).filter((_, at) => shown[at]),
  }
}

test('no short name of ours is that of another kind', async () => {
  const core = await requestKube<Resources>(plane.kubeConfig, { path: '/api/v1' })
  const groups = await requestKube<{ groups: { preferredVersion: { groupVersion: string } }[] }>(plane.kubeConfig, {
    path: '/apis',
  })
  const lists = await Promise.all(
    groups.groups.map(({ preferredVersion }) =>
      requestKube<Resources>(plane.kubeConfig, { path: `/apis/${preferredVersion.groupVersion}` }),
    ),
  )
  const all = [core, ...lists].flatMap(({ resources }) => resources)
  const words = all.flatMap(({ name, singularName, shortNames = [] }) => [name, singularName, ...shortNames])
  const ours = KINDS.flatMap(({ shortNames }) => shortNames)
  expect(ours.map((word) => [word, words.filter((each) => each === word).length])).toEqual(
    ours.map((word) => [word, 1]),
  )
})

interface Resources {
  resources: { name: string; singularName: string; shortNames?: string[] }[]
}

test('a client with as many showrooms as the kind allows is accepted, and a code that stands twice is refused', async () => {
  const codes = (count: number, letters: number) =>
    Array.from({ length: count }, (_, number) => String(number).padStart(letters, 'S'))
  const client = (showroomCodes: string[]) => ({
    ...{ apiVersion: API_VERSION, kind: 'ShowroomClient', metadata: { name: 'many', namespace: 'default' } },
    spec: {
      ...{ displayName: 'Many', showroomCodes, grants: [] },
      credentials: [{ subject: { issuer: 'https://login.example/', subject: 'many' } }],
    },
  })
  const applied = (showroomCodes: string[]) =>
    applyObject(plane.kubeConfig, client(showroomCodes), { fieldManager: 'git', force: true })
  await applied(codes(500, 12))
  await applied(codes(500, 32))
  await expect(applied([...codes(199, 32), codes(1, 32)[0] as string])).rejects.toThrow(
    'each showroom code stands once',
  )
})
