import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type Koa from 'koa'
import type { Logger } from '#runtime/log.ts'
import { followConnections, type Connections } from './connections.ts'
import { refuseBeforeApp } from './refuse-before-app.ts'

export interface HttpServer {
  port: number
  url: string
  /**
   * Asks callers to disconnect for `drainMs`, accepts no new connection, completes the requests in flight, then
   * resolves.
   */
  close(): Promise<void>
}

export interface ServeOptions {
  host: string
  port: number
  /**
   * Milliseconds in which every answer of a stopping server closes its connection, before idle connections are closed.
   * Default 0.
   */
  drainMs?: number
  /**
   * Milliseconds after the drain in which requests in flight may complete before their sockets are closed. Default
   * 5,000.
   */
  finishMs?: number
  /** Log for requests that never reach the application. Default: none. */
  log?: Logger
}

/** Most requests of one connection that wait for their answers; clients that pipeline at all send a few. */
const MOST_WAITING = 32

const TIMES = {
  // Together with the interval of Node's check this gives the 15 s of docs/contract.md.
  headersTimeout: 13_000,
  // A backstop: reading a body has a deadline of its own.
  requestTimeout: 60_000,
  // Interval at which Node checks these limits; its default of 30 s would be added to each of them.
  connectionsCheckingInterval: 2_000,
  // Longer than load balancers keep an idle connection (mostly 60 s), so that the load balancer closes first and sends
  // no request to a closed connection.
  keepAliveTimeout: 75_000,
}

/** Serves the application on `host`:`port` (0 chooses a free port); rejects when the port is not available. */
export async function serve(app: Koa, options: ServeOptions): Promise<HttpServer> {
  const { drainMs = 0, finishMs = 5_000, log } = options
  let isLeaving = false
  const handle = app.callback()
  // Without a Host header Node would answer 400 with no body; refuseBeforeApp answers instead.
  const server = createServer({ ...TIMES, requireHostHeader: false })
  // A caller that has sent its request may close its side (FIN) and wait. Node would close the connection without the answer, unless
  // the answer is written in the same turn.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = followConnections(server)
  const refusesFirst = refuseBeforeApp(server, connections, log)
  server.on('request', (request, response) => {
    const waiting = connections.noteAnswer(request.socket, response)
    if (waiting > MOST_WAITING) return closeCrowded(request.socket, log)
    // A caller whose connection closes while it sends cannot know whether its request was processed, so it is first
    // asked to disconnect.
    if (isLeaving) response.setHeader('connection', 'close')
    if (!refusesFirst(request, response)) void handle(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async () => {
    isLeaving = true
    await untilLeft(server, drainMs)
    await end(server, connections, finishMs)
  }
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { port, url: `http://${host}:${port}`, close }
}

/**
 * Closes a connection whose caller sends requests without waiting for answers. Node stops reading a connection only when the
 * answers of it fill a buffer, and requests that wait for their turn have no answers.
 */
function closeCrowded(socket: Socket, log: Logger | undefined): void {
  if (!socket.destroyed)
    log?.info({ event: 'refused', most: MOST_WAITING }, 'too many requests waited on one connection')
  socket.destroy()
}

/** Resolves when no connection is left, or after `ms`. */
async function untilLeft(server: Server, ms: number): Promise<void> {
  const connected = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })
  const deadline = performance.now() + ms
  while (performance.now() < deadline && (await connected()) > 0) await sleep(50)
}

/** Closes the server: requests in flight get `finishMs`, everything else is closed at once. */
function end(server: Server, connections: Connections, finishMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A keep-alive connection becomes idle only after its last answer.
    const sweep = setInterval(() => connections.cutIdle(), 50)
    const cut = setTimeout(() => connections.cutAll(), finishMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    connections.cutIdle()
  })
}
