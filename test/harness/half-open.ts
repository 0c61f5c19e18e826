import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ControlPlane } from './control-plane.ts'

export interface HalfOpen {
  /** The kubeconfig of one who reaches the control plane this way. */
  kubeconfig: string
  /** From now on, nothing of the watches that are open arrives, and no error either; every other request passes. */
  freeze(): void
  close(): void
}

/** A way to kube-apiserver on which open watches can fall silent without ending, as half-open connections do. */
export async function startHalfOpen(plane: ControlPlane, user?: string): Promise<HalfOpen> {
  let freezes = 0
  const ca = readFileSync(plane.caFile)
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming)
    const url = new URL(incoming.url ?? '/', plane.url)
    const isWatch = url.searchParams.get('watch') === 'true'
    const openedAt = freezes
    const isFrozen = () => isWatch && openedAt !== freezes
    const headers = { ...incoming.headers, host: url.host }
    const onward = request(url, { method: incoming.method ?? 'GET', ca, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.on('data', (chunk) => isFrozen() || outgoing.write(chunk))
      answer.on('end', () => isFrozen() || outgoing.end())
    })
    onward.once('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    onward.end(body)
  }
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = user === undefined ? plane.kubeconfig : plane.kubeconfigFor(user)
  const content = JSON.parse(readFileSync(own, 'utf8')) as { clusters: { cluster: object }[] }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const each of content.clusters) each.cluster = { server: address, 'insecure-skip-tls-verify': true }
  const kubeconfig = `${own}-half-open`
  writeFileSync(kubeconfig, JSON.stringify(content), { mode: 0o600 })
  return {
    kubeconfig,
    freeze: () => void (freezes += 1),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
