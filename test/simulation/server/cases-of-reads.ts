import type { V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { beforeAll, expect, test } from 'vitest'
import type { Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { Names, refusedBy, version, type Subject } from './subject.ts'

/** What the server lists, and what it tells a watch. */
export function casesOfReads(subjectOf: () => Subject): void {
  const names = new Names()
  let subject: Subject
  let kube: Kube
  beforeAll(() => {
    subject = subjectOf()
    kube = subject.kube
  })

  test('lists in pages as of one version', async () => {
    for (const n of [1, 2, 3, 4, 5])
      await kube.create(names.configMap(`page-${n}`, {}, { labels: { page: names.run } }))
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
    const watch = names.watch(kube, {
      fieldSelector: `metadata.name=${names.of('watched')}`,
      resourceVersion: version(first),
    })
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
}
