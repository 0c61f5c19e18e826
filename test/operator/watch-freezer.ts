import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ControlPlane } from '../harness/control-plane.ts'

/**
 * A way to a real kube-apiserver on which watches of some resources can be frozen: what they say does not arrive, and
 * nothing says so. Such is a half-open connection.
 */
export async function startWatchFreezer(controlPlane: ControlPlane, user: string, resources: readonly string[]) {
  let isFrozen = false
  const watches = new Set<ServerResponse>()
  const isWatched = (url: URL) =>
    url.searchParams.get('watch') === 'true' && resources.some((resource) => url.pathname.endsWith(`/${resource}`))
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming)
    const url = new URL(incoming.url ?? '/', controlPlane.url)
    const { method, headers } = incoming
    const options = { method, ca: readFileSync(controlPlane.caFile), headers: { ...headers, host: url.host } }
    const onward = request(url, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      if (!isWatched(url)) return void answer.pipe(outgoing)
      watches.add(outgoing)
      outgoing.once('close', () => watches.delete(outgoing))
      answer.on('data', (chunk) => isFrozen || outgoing.write(chunk))
      answer.on('end', () => isFrozen || outgoing.end())
    })
    onward.once('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    onward.end(body)
  }
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    kubeconfig: kubeconfigTo(server.address() as AddressInfo, controlPlane.kubeconfigFor(user)),
    freeze: () => (isFrozen = true),
    /** The connections break at last, as they do after a quarter of an hour. */
    thaw: () => {
      isFrozen = false
      for (const watch of watches) watch.destroy()
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The client library takes plain HTTP only where TLS is not to be verified. */
function kubeconfigTo({ port }: AddressInfo, kubeconfig: string): string {
  const content = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { clusters: { cluster: object }[] }
  for (const each of content.clusters)
    each.cluster = { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true }
  const path = `${kubeconfig}-freezer`
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 })
  return path
}
