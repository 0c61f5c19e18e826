import type { KubeConfig, V1ConfigMap } from '@kubernetes/client-node'
import { afterEach, expect, test } from 'vitest'
import { applyObject } from '#runtime/kube/apply.ts'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startWatch, type WatchOptions } from '#runtime/kube/watch.ts'
import { startControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { configMap, configMapList, sendJson, startScripted } from './scripted-server.ts'

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Neither the clock nor silence leads to a list here: an hour is longer than any of these tests. */
function watchOf(kubeConfig: KubeConfig, options: Partial<WatchOptions<V1ConfigMap>> = {}) {
  const watch = startWatch<V1ConfigMap>({
    kube: kubeOf(kubeConfig),
    path: '/api/v1/namespaces/default/configmaps',
    log: createLog({ name: 'test', level: 'silent' }),
    onChange: () => undefined,
    silentMs: 3_600_000,
    relistMs: 3_600_000,
    ...options,
  })
  cleanups.push(() => watch.stop())
  return watch
}

/** A server whose every list says the next of `versions` and holds an object of that name; streams say `event` and end. */
async function startListing(versions: readonly string[], event?: object) {
  const asked: string[] = []
  const server = await startScripted((url, response) => {
    const { watch, limit, resourceVersion = '' } = Object.fromEntries(url.searchParams) as Record<string, string>
    asked.push(watch ? `watch ${resourceVersion}` : `list ${limit}`)
    const lists = asked.filter((each) => each.startsWith('list')).length
    const version = versions[lists - 1] ?? versions.at(-1)!
    if (!watch) return sendJson(response, 200, configMapList(version, [configMap(`at-${version}`, version)]))
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    if (event) response.write(`${JSON.stringify(event)}\n`)
    if (asked.filter((each) => each.startsWith('watch')).length === 1) setTimeout(() => response.end(), 50)
  })
  cleanups.push(() => server.close())
  return { kubeConfig: server.kubeConfig, asked }
}

test('a stream is not taken up again where the server has yet to come: everything is listed, and that is remembered', async () => {
  const { kubeConfig, asked } = await startListing(['10', '7'])
  const watch = watchOf(kubeConfig)
  await waitFor('the second stream', () => asked.length === 5)
  expect(asked).toEqual(['list 500', 'watch 10', 'list 1', 'list 500', 'watch 7'])
  expect([...watch.objects.keys()]).toEqual(['default/at-7'])
  expect(watch.setBack()).toEqual({ known: '10', server: '7' })
  await watch.relist()
  expect(watch.setBack()).toEqual({ known: '10', server: '7' })
  watch.forgetSetBack()
  expect(watch.setBack()).toBeUndefined()
})

test('a stream that breaks off costs one object and no list while the server knows as much, or more', async () => {
  const { kubeConfig, asked } = await startListing(['9', '10'])
  const watch = watchOf(kubeConfig)
  await waitFor('the second stream', () => asked.length === 4)
  expect(asked).toEqual(['list 500', 'watch 9', 'list 1', 'watch 9'])
  expect(watch.setBack()).toBeUndefined()
})

test('a bookmark from before the present version takes nothing back: the server is asked how far it is', async () => {
  const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '6' } } }
  const { kubeConfig, asked } = await startListing(['10', '6'], bookmark)
  const watch = watchOf(kubeConfig)
  await waitFor('the second stream', () => asked.length === 5)
  expect(asked.slice(2)).toEqual(['list 1', 'list 500', 'watch 6'])
  expect(watch.setBack()).toEqual({ known: '10', server: '6' })
})

test('after etcd is restored, a watch forgets at once what the cluster no longer knows', async () => {
  const controlPlane = await startControlPlane()
  cleanups.push(() => controlPlane.stop())
  const { kubeConfig } = controlPlane
  const write = (name: string, of: string) =>
    applyObject(
      kubeConfig,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { of } },
      { fieldManager: 'test', force: true },
    )
  await write('kept', 'the backup')
  const restore = await controlPlane.backUp()
  const watch = watchOf(kubeConfig)
  await watch.synced
  // So many writes that the server does not come up to their versions by itself while this test runs.
  for (let nth = 0; nth < 300; nth += 1) await write('kept', `write ${nth}`)
  await write('lost', 'after the backup')
  await waitFor('the last write', () => watch.objects.has('default/lost'))
  const known = watch.resourceVersion()
  await restore()
  await waitFor('what is restored', () => watch.objects.get('default/kept')?.data?.['of'] === 'the backup')
  expect(watch.objects.has('default/lost')).toBe(false)
  expect(BigInt(watch.setBack()?.known ?? 0)).toBeGreaterThanOrEqual(BigInt(known))
}, 120_000)
