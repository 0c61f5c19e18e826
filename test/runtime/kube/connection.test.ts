import { setTimeout as sleep } from 'node:timers/promises'
import { KubeConfig } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { connectionOf } from '#runtime/kube/connection.ts'

function withToken(token: string): KubeConfig {
  const kubeConfig = new KubeConfig()
  kubeConfig.loadFromClusterAndUser(
    { name: 'here', server: 'https://127.0.0.1:1/', skipTLSVerify: true },
    { name: 'somebody', token },
  )
  return kubeConfig
}

test('a credential is read again after a second, and the connections are kept', async () => {
  const kubeConfig = withToken('first')
  const { dispatcher, headers, server } = await connectionOf(kubeConfig)
  expect([server, headers['authorization']]).toEqual(['https://127.0.0.1:1', 'Bearer first'])
  kubeConfig.loadFromClusterAndUser(kubeConfig.clusters[0]!, { name: 'somebody', token: 'second' })
  await sleep(1100)
  const later = await connectionOf(kubeConfig)
  expect(later.headers['authorization']).toBe('Bearer second')
  expect(later.dispatcher).toBe(dispatcher)
})

test('what failed once is tried again at once', async () => {
  const kubeConfig = new KubeConfig()
  await expect(connectionOf(kubeConfig)).rejects.toThrow('no current cluster')
  const { clusters, users, contexts, currentContext } = withToken('first')
  Object.assign(kubeConfig, { clusters, users, contexts, currentContext })
  expect((await connectionOf(kubeConfig)).headers['authorization']).toBe('Bearer first')
})
