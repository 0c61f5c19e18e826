import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KubeConfig } from '@kubernetes/client-node'

export interface ScriptedServer {
  kubeConfig: KubeConfig
  close(): void
}

/** A server on a real socket that misbehaves as a test scripts it: what a real kube-apiserver does only on a bad day. */
export async function startScripted(answer: (url: URL, response: ServerResponse) => void): Promise<ScriptedServer> {
  const server = createServer((request, response) => answer(new URL(request.url ?? '/', 'http://local'), response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const kubeConfig = new KubeConfig()
  const { port } = server.address() as AddressInfo
  kubeConfig.loadFromClusterAndUser(
    { name: 'scripted', server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
    { name: 'nobody' },
  )
  return {
    kubeConfig,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function configMap(name: string, resourceVersion: string) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion },
  }
}

export function configMapList(resourceVersion: string, items: object[]) {
  return { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion }, items }
}
