import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type Koa from 'koa'
import type { Logger } from '#runtime/log.ts'
import { followConnections, type Connections } from './connections.ts'
import { refuseBeforeApp } from './refuse-before-app.ts'

export interface Served {
  port: number
  url: string
  /** Asks its callers to leave for `drainMs`, takes no new connection, finishes the requests in flight, then resolves. */
  close(): Promise<void>
}

export interface ServeOptions {
  host: string
  port: number
  /** Milliseconds that every answer of a stopping server ends its connection, before idle ones are cut. Default 0. */
  drainMs?: number
  /** Milliseconds after the drain that requests in flight have to end before their sockets are cut. Default 5,000. */
  finishMs?: number
  /** Where requests are noted that never reach the application. Default: nowhere. */
  log?: Logger
}

const TIMES = {
  // With the time until Node looks, the 15 s of docs/contract.md.
  headersTimeout: 13_000,
  // A backstop to the deadline of a body that is read.
  requestTimeout: 60_000,
  // Node looks only so often whether one of these times is over; its own 30 s would come on top of each.
  connectionsCheckingInterval: 2_000,
  // Longer than load balancers keep an idle connection, mostly 60 s: whoever closes first must not be the one who is asked.
  keepAliveTimeout: 75_000,
}

/** Serves the application on `host`:`port` (0 picks a free port); rejects when the port cannot be had. */
export async function serve(app: Koa, options: ServeOptions): Promise<Served> {
  const { drainMs = 0, finishMs = 5_000, log } = options
  let isLeaving = false
  const handle = app.callback()
  // Without a Host header Node would answer 400 itself, with no body: refuseBeforeApp does.
  const server = createServer({ ...TIMES, requireHostHeader: false })
  const connections = followConnections(server)
  const refusesFirst = refuseBeforeApp(server, connections, log)
  server.on('request', (request, response) => {
    connections.noteAnswer(request.socket, response)
    // A caller that has its connection cut while it sends cannot know whether it was heard: it is asked to go first.
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

/** Settles when nobody is connected any more, or after `ms`. */
async function untilLeft(server: Server, ms: number): Promise<void> {
  const connected = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })
  const deadline = performance.now() + ms
  while (performance.now() < deadline && (await connected()) > 0) await sleep(50)
}

/** Closes the server: requests in flight have `finishMs`, everything else has no time at all. */
function end(server: Server, connections: Connections, finishMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive becomes idle only after its last answer.
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
