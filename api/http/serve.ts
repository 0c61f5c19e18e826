import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type Koa from 'koa'
import { refuseUnread } from './refuse-unread.ts'

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
}

const TIMES = {
  headersTimeout: 20_000,
  // A backstop to the deadline of a body that is read: also one that is refused unread is drained for so long only.
  requestTimeout: 60_000,
  // Longer than load balancers keep an idle connection, mostly 60 s: whoever closes first must not be the one who is asked.
  keepAliveTimeout: 75_000,
}

/** Serves the application on `host`:`port` (0 picks a free port); rejects when the port cannot be had. */
export async function serve(app: Koa, options: ServeOptions): Promise<Served> {
  let isLeaving = false
  const handle = app.callback()
  const server = createServer(TIMES, (request, response) => {
    // A caller that has its connection cut while it sends cannot know whether it was heard: it is asked to go first.
    if (isLeaving) response.setHeader('connection', 'close')
    void handle(request, response)
  })
  server.on('clientError', refuseUnread)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async () => {
    isLeaving = true
    await untilLeft(server, options.drainMs ?? 0)
    await end(server)
  }
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { port, url: `http://${host}:${port}`, close }
}

/** Settles when nobody is connected any more, or after `ms`. */
async function untilLeft(server: Server, ms: number): Promise<void> {
  const connections = promisify(server.getConnections.bind(server))
  const deadline = performance.now() + ms
  while (performance.now() < deadline && (await connections()) > 0) await sleep(50)
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive becomes idle only after its last answer, and would hold the stop till it times out.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
