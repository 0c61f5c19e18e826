import type { KubernetesObject, V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { installKinds } from '../../crds/install-kinds.ts'
import { modelKube } from './model-kube.ts'
import { ModelServer } from './model-server.ts'
import { Names, type Subject } from './subject.ts'

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

const refusedBy = async (attempt: Promise<unknown>): Promise<number> => {
  const outcome = await attempt.catch((error: unknown) => error)
  if (!(outcome instanceof KubeApiError)) throw new Error(`not refused: ${JSON.stringify(outcome)?.slice(0, 200)}`)
  return outcome.status
}
const version = (object: KubernetesObject | undefined) => object?.metadata?.resourceVersion ?? ''
const manager = { fieldManager: 'ours' }

describe.each([
  ['the model', model],
  ['kube-apiserver', real],
])('%s', (_, subjectOf) => {
  let subject: Subject
  let kube: Kube
  const names = new Names()
  beforeAll(() => {
    subject = subjectOf()
    kube = subject.kube
  })

  test('creates an object once, and fills in its identity', async () => {
    const created = await kube.create<V1ConfigMap>(names.configMap('a', { x: '1' }))
    expect(created.metadata).toMatchObject({ name: names.of('a'), namespace: 'default', uid: expect.any(String) })
    expect(created.metadata?.generation).toBeUndefined()
    expect(version(created)).toMatch(/^\d+$/)
    expect(await kube.get(names.reference('a'))).toMatchObject({ data: { x: '1' }, metadata: created.metadata })
    expect(await refusedBy(kube.create(names.configMap('a', { x: '2' })))).toBe(409)
    expect(await kube.get(names.reference('none'))).toBeUndefined()
  })

  test('makes a name where only its beginning is given', async () => {
    const metadata = { generateName: `${names.of('made')}-`, namespace: 'default' }
    const made = [1, 2].map(() => kube.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata }))
    const [first, second] = (await Promise.all(made)).map((object) => object.metadata?.name)
    expect(first).toMatch(/-[a-z0-9]{5}$/)
    expect(second).not.toBe(first)
  })

  test('refuses a name that is none', async () => {
    expect(await refusedBy(kube.create(names.configMap('a..b', {})))).toBe(422)
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a..b', namespace: 'default' } }
    expect(await refusedBy(kube.create(secret))).toBe(422)
  })

  test('replaces exactly the version that is named, and any where none is', async () => {
    const first = await kube.create<V1ConfigMap>(names.configMap('replaced', { x: '1' }))
    const at = (resourceVersion: string, x: string) => names.configMap('replaced', { x }, { resourceVersion })
    const second = await kube.replace<V1ConfigMap>(at(version(first), '2'))
    expect(second.metadata?.uid).toBe(first.metadata?.uid)
    expect(BigInt(version(second))).toBeGreaterThan(BigInt(version(first)))
    expect(await refusedBy(kube.replace(at(version(first), '3')))).toBe(409)
    expect(await refusedBy(kube.replace(names.configMap('replaced', {}, { uid: 'another' })))).toBe(409)
    expect((await kube.replace<V1ConfigMap>(names.configMap('replaced', { y: '1' }))).data).toEqual({ y: '1' })
    expect(await refusedBy(kube.replace(names.configMap('nothing', {})))).toBe(404)
  })

  test('creates a Lease by replacing it, and refuses where a version was named', async () => {
    const lease = (metadata: object = {}) => ({
      ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { holderIdentity: 'a', leaseDurationSeconds: 1 } },
      metadata: { name: names.of('lease'), namespace: 'default', ...metadata },
    })
    expect(await refusedBy(kube.replace(lease({ resourceVersion: '1', uid: 'gone' })))).toBe(409)
    expect(version(await kube.replace(lease()))).not.toBe('')
  })

  test('makes no version of a write that changes nothing', async () => {
    const first = await kube.create(names.configMap('same', { x: '1' }, { labels: { a: 'b' } }), manager)
    const again = names.configMap('same', { x: '1' }, { labels: { a: 'b' } })
    expect(version(await kube.replace(again, manager))).toBe(version(first))
    const patched = await kube.patchMetadata(names.reference('same'), { labels: { a: 'b' } }, manager)
    expect(version(patched)).toBe(version(first))
  })

  test('counts generations of the spec of a custom resource, and nothing else', async () => {
    const first = await kube.create(names.client('counted'))
    const generation = (object: KubernetesObject) => object.metadata?.generation
    expect(generation(first)).toBe(1)
    const labelled = await kube.patchMetadata(names.reference('counted', first), { labels: { a: 'b' } })
    expect(generation(labelled)).toBe(1)
    const sent = names.client('counted', { suspended: true }, { resourceVersion: version(labelled) })
    const second = await kube.replace(sent)
    expect(generation(second)).toBe(2)
    const written = await kube.replaceStatus(names.withStatus(second, 2), 'ours')
    expect(generation(written)).toBe(2)
    expect(await refusedBy(kube.replace(names.client('counted')))).toBe(422)
  })

  test('keeps the status of a custom resource apart', async () => {
    const created = await kube.create<KubernetesObject & { status?: object }>({ ...names.client('apart'), ...names.status(7) })
    expect(created.status).toBeUndefined()
    const written = await kube.replaceStatus({ ...names.withStatus(created, 1), spec: { displayName: 'Other' } } as never, 'ours')
    expect(written).toMatchObject({ ...names.status(1), spec: { displayName: 'Northside' } })
    const sent = names.client('apart', { suspended: true }, { resourceVersion: version(written) })
    expect(await kube.replace({ ...sent, ...names.status(9) } as never)).toMatchObject(names.status(1))
    expect(await refusedBy(kube.replaceStatus(names.withStatus(written, 3), 'ours'))).toBe(409)
    const gone = names.withStatus({ ...created, metadata: { ...created.metadata, name: names.of('never') } }, 1)
    expect(await refusedBy(kube.replaceStatus(gone, 'ours'))).toBe(404)
  })

  test('applies: conflicts, force, and what is no longer sent', async () => {
    const apply = (data: Record<string, string>, options: object = {}) =>
      kube.apply<V1ConfigMap>(names.configMap('applied', data), { ...manager, ...options })
    expect((await apply({ a: '1', b: '2' })).data).toEqual({ a: '1', b: '2' })
    const theirs = { fieldManager: 'theirs' }
    expect(await refusedBy(apply({ a: '9' }, theirs))).toBe(409)
    expect((await apply({ a: '9' }, { ...theirs, force: true })).data).toEqual({ a: '9', b: '2' })
    expect(await refusedBy(apply({ a: '1' }))).toBe(409)
    // What another manager owns stays; what nobody owns any more goes.
    expect((await apply({})).data).toEqual({ a: '9' })
    expect((await apply({ b: '3' }, theirs)).data).toEqual({ b: '3' })
  })

  test('an apply leaves what a create of the same manager made', async () => {
    await kube.create(names.configMap('posted', { a: '1', b: '2' }), manager)
    const apply = { ...manager, force: true }
    expect((await kube.apply<V1ConfigMap>(names.configMap('posted', { a: '3' }), apply)).data).toEqual({ a: '3', b: '2' })
    expect((await kube.apply<V1ConfigMap>(names.configMap('posted', { c: '4' }), apply)).data).toEqual({ b: '2', c: '4' })
  })

  test('applies to exactly the object that is named', async () => {
    const first = await kube.apply(names.configMap('exact', { a: '1' }), manager)
    const { uid, resourceVersion } = first.metadata ?? {}
    const second = await kube.apply(names.configMap('exact', { a: '2' }, { uid, resourceVersion }), manager)
    expect(await refusedBy(kube.apply(names.configMap('exact', { a: '3' }, { uid, resourceVersion }), manager))).toBe(409)
    expect(await refusedBy(kube.apply(names.configMap('exact', { a: '3' }, { uid: 'another' }), manager))).toBe(422)
    await kube.delete(names.reference('exact'))
    const late = { uid, resourceVersion: version(second) }
    expect(await refusedBy(kube.apply(names.configMap('exact', { a: '3' }, late), manager))).toBe(409)
    await kube.create(names.configMap('exact', { a: '4' }))
    expect(await refusedBy(kube.apply(names.configMap('exact', { a: '3' }, late), manager))).toBe(409)
    expect(await refusedBy(kube.patchMetadata(names.reference('exact'), { ...late, labels: { a: 'b' } }))).toBe(409)
    expect(await refusedBy(kube.delete(names.reference('exact'), late))).toBe(409)
  })

  test('patches metadata by merging', async () => {
    const first = await kube.create(names.configMap('patched', { x: '1' }, { labels: { a: '1', b: '2' } }))
    const patch = (metadata: object) => kube.patchMetadata<V1ConfigMap>(names.reference('patched'), metadata)
    const { uid, resourceVersion } = first.metadata ?? {}
    const second = await patch({ uid, resourceVersion, labels: { a: null, c: '3' }, annotations: { d: '4' } })
    expect(second).toMatchObject({ data: { x: '1' }, metadata: { annotations: { d: '4' } } })
    expect(second.metadata?.labels).toEqual({ b: '2', c: '3' })
    expect(await refusedBy(patch({ uid, resourceVersion, labels: { e: '5' } }))).toBe(409)
    expect(await refusedBy(patch({ uid: 'another', labels: { e: '5' } }))).toBe(422)
    expect(await refusedBy(kube.patchMetadata(names.reference('nothing'), {}))).toBe(404)
  })

  test('deletes exactly the version that is named', async () => {
    const first = await kube.create(names.configMap('deleted', { x: '1' }))
    const { uid = '', resourceVersion = '' } = first.metadata ?? {}
    const second = await kube.replace(names.configMap('deleted', { x: '2' }))
    expect(await refusedBy(kube.delete(names.reference('deleted'), { uid, resourceVersion }))).toBe(409)
    expect(await refusedBy(kube.delete(names.reference('deleted'), { uid: 'another' }))).toBe(409)
    expect(await kube.delete(names.reference('deleted'), { uid, resourceVersion: version(second) })).toBe(true)
    expect(await kube.delete(names.reference('deleted'), { uid })).toBe(false)
    expect((await kube.create(names.configMap('deleted', { x: '3' }))).metadata?.uid).not.toBe(uid)
  })

  test('never changes the content of an immutable ConfigMap', async () => {
    const immutable = (x: string, more: object = { immutable: true }) => ({ ...names.configMap('fixed', { x }), ...more })
    await kube.create(immutable('1'))
    expect(await refusedBy(kube.replace(immutable('2')))).toBe(422)
    expect(await refusedBy(kube.replace(immutable('1', {})))).toBe(422)
    expect(await refusedBy(kube.apply(immutable('2'), { ...manager, force: true }))).toBe(422)
    const marked = await kube.patchMetadata<V1ConfigMap>(names.reference('fixed'), { annotations: { a: 'b' } })
    expect(marked).toMatchObject({ immutable: true, data: { x: '1' }, metadata: { annotations: { a: 'b' } } })
  })

  test('never changes the type of a Secret', async () => {
    const secret = (type: string) => ({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: names.of('typed'), namespace: 'default' }, type },
      data: { x: 'eA==' },
    })
    await kube.create(secret('example.com/one'))
    expect(await refusedBy(kube.replace(secret('example.com/two')))).toBe(422)
  })

  test('limits annotations, data and the whole', async () => {
    const annotations = { a: 'x'.repeat(256 * 1024 - 1) }
    const first = await kube.create(names.configMap('long', {}, { annotations }))
    expect(first.metadata?.annotations).toEqual(annotations)
    expect(await refusedBy(kube.patchMetadata(names.reference('long'), { annotations: { a: `${annotations.a}x` } }))).toBe(422)
    const data = { a: 'x'.repeat(1024 * 1024) }
    expect((await kube.create<V1ConfigMap>(names.configMap('large', data))).data).toEqual(data)
    expect(await refusedBy(kube.create(names.configMap('larger', { a: `${data.a}x` })))).toBe(422)
    const labels = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`label-${n}-${'x'.repeat(40)}`, 'x'.repeat(63)]))
    expect(await refusedBy(kube.create(names.configMap('largest', data, { annotations, labels })))).toBeGreaterThanOrEqual(413)
  })

  test('lists in pages as of one version', async () => {
    for (const n of [1, 2, 3, 4, 5]) await kube.create(names.configMap(`page-${n}`, {}, { labels: { page: names.run } }))
    const options = { path: names.path, labelSelector: `page=${names.run}`, limit: 2 }
    const first = await kube.page<V1ConfigMap>(options)
    const { continue: token = '' } = first.metadata as { continue?: string }
    await kube.delete(names.reference('page-4'))
    await kube.create(names.configMap('page-6', {}, { labels: { page: names.run } }))
    const second = await kube.page<V1ConfigMap>({ ...options, limit: 10, continue: token })
    const listed = [...first.items, ...second.items].map((item) => item.metadata?.name)
    expect(listed).toEqual([1, 2, 3, 4, 5].map((n) => names.of(`page-${n}`)))
    expect(second.metadata?.resourceVersion).toBe(first.metadata?.resourceVersion)
    expect((second.metadata as { continue?: string }).continue ?? '').toBe('')
    const now = await listAll<V1ConfigMap>(kube, options)
    expect(now.items.map((item) => item.metadata?.name)).toEqual([1, 2, 3, 5, 6].map((n) => names.of(`page-${n}`)))
  })

  test('selects by labels, names and types', async () => {
    const secret = (name: string, type: string) => ({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: names.of(name), namespace: 'default' } },
      ...{ type: `example.com/${type}-${names.run}`, data: {} },
    })
    await kube.create(secret('one', 'a'))
    await kube.create(secret('two', 'b'))
    const path = '/api/v1/namespaces/default/secrets'
    const listed = async (fieldSelector: string) =>
      (await listAll<V1Secret>(kube, { path, fieldSelector })).items.map((item) => item.metadata?.name)
    expect(await listed(`type=example.com/b-${names.run}`)).toEqual([names.of('two')])
    expect(await listed(`metadata.name=${names.of('one')},type=example.com/a-${names.run}`)).toEqual([names.of('one')])
    expect(await listed(`metadata.name=${names.of('one')},type=example.com/b-${names.run}`)).toEqual([])
  })

  test('tells each change in order, from the version that is named', async () => {
    const first = await kube.create(names.configMap('watched', { x: '1' }))
    const watch = names.watch(kube, { fieldSelector: `metadata.name=${names.of('watched')}`, resourceVersion: version(first) })
    const second = await kube.replace(names.configMap('watched', { x: '2' }))
    await kube.replace(names.configMap('watched', { x: '3' }))
    await kube.delete(names.reference('watched'))
    const events = await watch.take(3)
    expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'MODIFIED', 'DELETED'])
    expect(version(events[0]?.object)).toBe(version(second))
    // At the version of the deletion, with the last content.
    expect(BigInt(version(events[2]?.object))).toBeGreaterThan(BigInt(version(events[1]?.object)))
    expect(events[2]?.object).toMatchObject({ data: { x: '3' } })
  })

  test('tells what leaves and enters a selection as deleted and added', async () => {
    const { resourceVersion } = (await kube.page({ path: names.path, limit: 1 })).metadata ?? {}
    const watch = names.watch(kube, { labelSelector: `in=${names.run}`, resourceVersion: resourceVersion ?? '' })
    const label = (value: string | null) => kube.patchMetadata(names.reference('moved'), { labels: { in: value } })
    await kube.create(names.configMap('moved', {}))
    await label(names.run)
    const out = await label(null)
    const events = await watch.take(2)
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED'])
    expect(version(events[1]?.object)).toBe(version(out))
  })

  test('answers 410 to a watch from a version that is forgotten', async () => {
    await kube.create(names.configMap('forgotten', {}))
    await subject.forget()
    const watch = names.watch(kube, { resourceVersion: '1' })
    expect(await refusedBy(watch.take(1))).toBe(410)
  })
})
