import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ControlPlane } from '../harness/control-plane.ts'

export interface Stop {
  /** The write of a ConfigMap to stop at, counted from 1. */
  write: number
  /** Whether kube-apiserver still takes that write. */
  isTaken: boolean
}

/**
 * A way to a real kube-apiserver that hands on the writes of ConfigMaps one at a time and can stop at one of them: what
 * comes after it is not handed on, so that a process killed there has written exactly so much and no more.
 */
export async function startWriteGate(controlPlane: ControlPlane, user: string) {
  const gate = new WriteGate(controlPlane)
  const server = createServer(
    (incoming, outgoing) => void gate.pass(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    kubeconfig: kubeconfigTo(`http://127.0.0.1:${port}`, controlPlane.kubeconfigFor(user)),
    /** Settles when the gate has stopped there. */
    stopAt: (stop: Stop) => gate.stopAt(stop),
    /** Settles when the next write comes; it and those after it are handed on. */
    nextWrite: () => gate.nextWrite(),
    open: () => gate.open(),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

class WriteGate {
  readonly #controlPlane: ControlPlane
  #turn: Promise<unknown> = Promise.resolve()
  #seen = 0
  #stop: (Stop & { reached: () => void }) | undefined
  #begun: (() => void) | undefined
  #isShut = false

  constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane
  }

  stopAt(stop: Stop): Promise<void> {
    this.#seen = 0
    return new Promise((reached) => (this.#stop = { ...stop, reached }))
  }

  nextWrite(): Promise<void> {
    return new Promise((begun) => (this.#begun = begun))
  }

  open(): void {
    this.#stop = undefined
    this.#isShut = false
  }

  async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.method === 'GET' || !incoming.url?.includes('/configmaps')) return this.#forward(incoming, outgoing)
    const turn = this.#turn.then(() => this.#write(incoming, outgoing))
    this.#turn = turn.catch(() => undefined)
    await turn
  }

  async #write(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#begun?.()
    const stop = this.#stop?.write === ++this.#seen ? this.#stop : undefined
    if (this.#isShut || stop?.isTaken === false) outgoing.destroy()
    else await this.#forward(incoming, outgoing)
    if (!stop) return
    this.#isShut = true
    stop.reached()
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const url = new URL(incoming.url ?? '/', this.#controlPlane.url)
    const ca = readFileSync(this.#controlPlane.caFile)
    const { method, headers } = incoming
    await new Promise<void>((resolve, reject) => {
      const onward = request(url, { method, ca, headers: { ...headers, host: url.host } }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        answer.once('close', resolve)
      })
      onward.once('error', reject)
      // A watch ends when its reader goes.
      outgoing.once('close', () => onward.destroy())
      onward.end(body)
    })
  }
}

/** The client library takes plain HTTP only where TLS is not to be verified. */
function kubeconfigTo(server: string, kubeconfig: string): string {
  const content = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { clusters: { cluster: object }[] }
  for (const each of content.clusters) each.cluster = { server, 'insecure-skip-tls-verify': true }
  const path = `${kubeconfig}-gate`
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 })
  return path
}
