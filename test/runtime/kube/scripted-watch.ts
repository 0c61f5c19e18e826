import type { ServerResponse } from 'node:http'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { createLog } from '#runtime/log.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startWatch, type WatchOptions } from '#runtime/kube/watch.ts'
import { configMap, startScripted } from './scripted-server.ts'

export type Script = (url: URL, response: ServerResponse, nth: { list: number; watch: number }) => void

/** Watches a server that answers by `script`; `nth` counts its lists and watches from 1. */
export async function watchScripted(script: Script, options: Partial<WatchOptions<V1ConfigMap>> = {}) {
  const nth = { list: 0, watch: 0 }
  const requests: { url: URL; at: number }[] = []
  const server = await startScripted((url, response) => {
    requests.push({ url, at: performance.now() })
    nth[url.searchParams.has('watch') ? 'watch' : 'list'] += 1
    script(url, response, nth)
  })
  onTestFinished(() => server.close())
  const told: [key: string, there: boolean][] = []
  const registry = new Registry()
  const watch = startWatch<V1ConfigMap>({
    kube: kubeOf(server.kubeConfig),
    path: '/api/v1/configmaps',
    log: createLog({ name: 'test', level: 'silent' }),
    onChange: (key, object) => told.push([key, object !== undefined]),
    registry,
    ...options,
  })
  onTestFinished(() => watch.stop())
  const metric = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? []
  return { watch, told, requests, metric }
}

export const hold = (response: ServerResponse, ...events: object[]) => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  for (const event of events) response.write(`${JSON.stringify(event)}\n`)
}
export const isWatch = (url: URL) => url.searchParams.has('watch')
export const added = (name: string, version: string) => ({ type: 'ADDED', object: configMap(name, version) })
