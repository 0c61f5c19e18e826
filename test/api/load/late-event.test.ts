import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { encodePublicKeys, PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { createHolder } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { configMapList, sendJson, startScripted } from '../../runtime/kube/scripted-server.ts'
import { newSigningKey } from '../pricing-server.ts'

const log = createLog({ name: 'test', level: 'silent' })

/** The public keys as of one version; their one key is named after it. */
async function version(number: number, text?: string) {
  const jwk = { ...(await newSigningKey(`v${number}`)) }
  const keys = text ?? encodePublicKeys([{ state: 'current', since: '2026-11-21T00:00:00Z', jwk }])
  const metadata = { name: PUBLIC_KEYS, namespace: 'driveaway', uid: 'one', resourceVersion: `${number}` }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'keys.json': keys } }
}

test('an event that comes late does not displace the newer version that a failed load was read again as', async () => {
  const [five, six, seven] = await Promise.all([version(5, 'no keys'), version(6), version(7)])
  const streams: ServerResponse[] = []
  let lists = 0
  const server = await startScripted((url, response) => {
    if (url.searchParams.has('watch')) {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      return void streams.push(response)
    }
    if (url.pathname.endsWith(PUBLIC_KEYS)) return sendJson(response, 200, seven)
    lists += 1
    sendJson(response, 200, configMapList(lists === 1 ? '5' : '7', [lists === 1 ? five : seven]))
  })
  const holder = createHolder()
  const kube = kubeOf(server.kubeConfig)
  const source = startKubernetesSource({ kube, namespace: 'driveaway', holder, log, parts: ['keys'], signs: false })
  try {
    await waitFor('version 7', () => holder.read().keys?.current === 'v7')
    streams[0]?.write(`${JSON.stringify({ type: 'MODIFIED', object: six })}\n`)
    await sleep(300)
    expect(holder.read().keys?.current).toBe('v7')
  } finally {
    await source.stop()
    server.close()
  }
})
