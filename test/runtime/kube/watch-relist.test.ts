import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startWatch } from '#runtime/kube/watch.ts'
import { configMap, configMapList, sendJson, startScripted } from './scripted-server.ts'

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A watch of a server whose nth list has the nth of these contents, always under the same version; streams stay open. */
async function watchListing(contents: readonly Record<string, string>[]) {
  let lists = 0
  const server = await startScripted((url, response) => {
    const { watch, limit } = Object.fromEntries(url.searchParams) as Record<string, string>
    if (watch) return void response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    const data = contents[Math.min(lists, contents.length - 1)]
    if (limit !== '1') lists += 1
    sendJson(response, 200, configMapList('10', [{ ...configMap('rates', '9'), data }]))
  })
  cleanups.push(() => server.close())
  const told: (V1ConfigMap | undefined)[] = []
  const watch = startWatch<V1ConfigMap>({
    kube: kubeOf(server.kubeConfig),
    path: '/api/v1/namespaces/default/configmaps',
    log: createLog({ name: 'test', level: 'silent' }),
    onChange: (_, object) => void told.push(object),
  })
  cleanups.push(() => watch.stop())
  await watch.synced
  return { watch, told }
}

test('an object that a new list has unchanged is reported, and remains the same object', async () => {
  const { watch, told } = await watchListing([{ a: '1' }])
  const before = watch.objects.get('default/rates')
  await watch.relist()
  expect(watch.objects.get('default/rates')).toBe(before)
  expect(told).toHaveLength(2)
  expect(told[1]).toBe(before)
})

test('content that a new list has under the same version, as after a restore of etcd, replaces what was known', async () => {
  const { watch, told } = await watchListing([{ a: '1' }, { a: '2' }])
  await watch.relist()
  expect(watch.objects.get('default/rates')?.data).toEqual({ a: '2' })
  expect(told.map((object) => object?.data)).toEqual([{ a: '1' }, { a: '2' }])
})
