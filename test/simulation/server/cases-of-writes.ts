import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { beforeAll, expect, test } from 'vitest'
import type { Kube } from '#runtime/kube/kube.ts'
import { Names, refusedBy, version, type Subject } from './subject.ts'

const manager = { fieldManager: 'ours' }

/** What the server does with writes. */
export function casesOfWrites(subjectOf: () => Subject): void {
  const names = new Names()
  let kube: Kube
  beforeAll(() => {
    kube = subjectOf().kube
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
      ...{
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        spec: { holderIdentity: 'a', leaseDurationSeconds: 1 },
      },
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
    const created = await kube.create<KubernetesObject & { status?: object }>({
      ...names.client('apart'),
      ...names.status(7),
    })
    expect(created.status).toBeUndefined()
    const written = await kube.replaceStatus(
      { ...names.withStatus(created, 1), spec: { displayName: 'Other' } } as never,
      'ours',
    )
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
    expect((await kube.apply<V1ConfigMap>(names.configMap('posted', { a: '3' }), apply)).data).toEqual({
      a: '3',
      b: '2',
    })
    expect((await kube.apply<V1ConfigMap>(names.configMap('posted', { c: '4' }), apply)).data).toEqual({
      b: '2',
      c: '4',
    })
  })

  test('applies to exactly the object that is named', async () => {
    const first = await kube.apply(names.configMap('exact', { a: '1' }), manager)
    const { uid, resourceVersion } = first.metadata ?? {}
    const second = await kube.apply(names.configMap('exact', { a: '2' }, { uid, resourceVersion }), manager)
    expect(await refusedBy(kube.apply(names.configMap('exact', { a: '3' }, { uid, resourceVersion }), manager))).toBe(
      409,
    )
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
    const immutable = (x: string, more: object = { immutable: true }) => ({
      ...names.configMap('fixed', { x }),
      ...more,
    })
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
    expect(
      await refusedBy(kube.patchMetadata(names.reference('long'), { annotations: { a: `${annotations.a}x` } })),
    ).toBe(422)
    const data = { a: 'x'.repeat(1024 * 1024) }
    expect((await kube.create<V1ConfigMap>(names.configMap('large', data))).data).toEqual(data)
    expect(await refusedBy(kube.create(names.configMap('larger', { a: `${data.a}x` })))).toBe(422)
    const labels = Object.fromEntries(
      Array.from({ length: 3000 }, (_, n) => [`label-${n}-${'x'.repeat(40)}`, 'x'.repeat(63)]),
    )
    expect(
      await refusedBy(kube.create(names.configMap('largest', data, { annotations, labels }))),
    ).toBeGreaterThanOrEqual(413)
  })
}
