import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { refuseUnread } from './refuse-unread.ts'

export interface Served {
  port: number
  url: string
  /** Takes no new connection, finishes the requests in flight, then resolves. */
  close(): Promise<void>
}

/** Serves the application on `host`:`port` (0 picks a free port); rejects when the port cannot be had. */
export async function serve(app: Koa, options: { host: string; port: number }): Promise<Served> {
  const handle = app.callback()
  // A backstop to the deadline of a body that is read: also those that are refused unread are drained for so long only.
  const server = createServer({ headersTimeout: 20_000, requestTimeout: 60_000 }, (request, response) => {
    void handle(request, response)
  })
  server.on('clientError', refuseUnread)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { port, url: `http://${host}:${port}`, close: () => close(server) }
}

function close(server: Server): Promise<void> {
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
