import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject } from '@kubernetes/client-node'
import { request } from 'undici'
import { parse } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '#crds/kind.ts'
import { KINDS } from '#crds/outputs.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { connectionOf } from '#runtime/kube/connection.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { installKinds } from './install-kinds.ts'

const root = join(import.meta.dirname, '../..')
let plane: ControlPlane

beforeAll(async () => {
  plane = await startControlPlane()
  await installKinds(plane.kubeConfig)
})

afterAll(() => plane.stop())

const exampleOf = ({ kind }: Kind) =>
  parse(readFileSync(join(root, `crds/examples/${kind.toLowerCase()}.yaml`), 'utf8')) as KubernetesObject & {
    spec: object
  }

/** What the operator writes of an object that is published and loaded, with a digest that the page shows. */
function statusOf({ kind, shown }: Kind) {
  const seen = { status: 'True', message: '', observedGeneration: 1, lastTransitionTime: '2026-11-23T00:00:00Z' }
  const conditions = ['Ready', 'Published', 'Loaded'].map((type) => ({ ...seen, type, reason: 'Published' }))
  if (kind !== 'RateSet') return { conditions }
  return { conditions, shortDigest: shown[4], examples: { passed: 1, total: 1, summary: '1/1' } }
}

interface Table {
  columnDefinitions: { name: string; priority: number }[]
  rows: { cells: unknown[] }[]
}

test.each(KINDS)('the reference page of $kind opens with what a server takes and shows', async (kind) => {
  const metadata = { ...exampleOf(kind).metadata, namespace: 'default' }
  const object = { ...exampleOf(kind), metadata }
  const options = { fieldManager: 'test', force: true }
  await applyObject(plane.kubeConfig, object, options)
  const status = { apiVersion: object.apiVersion, kind: object.kind, metadata, status: statusOf(kind) }
  await applyObject(plane.kubeConfig, status, { ...options, subresource: 'status' })
  const path = `/apis/${object.apiVersion}/namespaces/default/${kind.plural}/${metadata.name}`
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const { server, headers, dispatcher } = await connectionOf(plane.kubeConfig)
  const answer = await request(new URL(path, server), { dispatcher, headers: { ...headers, accept } })
  const table = (await answer.body.json()) as Table
  const at = table.columnDefinitions.flatMap(({ priority }, position) => (priority === 0 ? [position] : []))
  const page = readFileSync(join(root, `docs/reference/${kind.kind.toLowerCase()}.md`), 'utf8')
  const [, head = '', row = ''] = /\n\$ kubectl get .*\n(.*)\n(.*)\n```/.exec(page) ?? []
  expect(head.split(/ {3,}/)).toEqual(at.map((each) => table.columnDefinitions[each]!.name.toUpperCase()))
  const cells = at.map((each) => String(table.rows[0]?.cells[each] ?? '')).filter((cell) => cell !== '')
  // The age is another each time.
  expect(row.split(/ {3,}/).slice(0, -1)).toEqual(cells.slice(0, -1))
})

test('the example of a rate set says nothing that the set itself does not say', () => {
  const written = parse(readFileSync(join(root, 'rates/sets/au-nt/fy27.yaml'), 'utf8')) as { spec: unknown }
  const example = exampleOf(KINDS.find(({ kind }) => kind === 'RateSet')!)
  expect(missing(example.spec, written.spec)).toEqual([])
})

/** What stands in an example and not in the whole, by path; an entry of a list may stand anywhere in the list. */
function missing(part: unknown, whole: unknown, path = 'spec'): string[] {
  if (Array.isArray(part)) {
    const others = Array.isArray(whole) ? whole : []
    return part.flatMap((each, at) =>
      others.some((other) => missing(each, other).length === 0) ? [] : [`${path}[${at}]`],
    )
  }
  if (typeof part !== 'object' || part === null) return part === whole ? [] : [path]
  return Object.entries(part).flatMap(([key, value]) =>
    missing(value, (whole as Record<string, unknown> | null | undefined)?.[key], `${path}.${key}`),
  )
}
