import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

export interface HealthOptions {
  host: string
  port: number
  ready: () => { ok: boolean; body: object }
  registry: Pick<Registry, 'metrics' | 'contentType'>
  /** JSON by path; a caller whose ETag matches gets a 304 without a body. */
  routes?: Record<string, (headers: IncomingHttpHeaders) => object>
}

/** Serves /livez, /readyz, /metrics and the given JSON routes on a port of their own (0 picks a free one). */
export async function startHealth(options: HealthOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    answer(options, { path, headers: request.headers }, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: String(error) })
      else response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { port, close: () => closeServer(server) }
}

async function answer(
  options: HealthOptions,
  { path, headers }: { path: string; headers: IncomingHttpHeaders },
  response: ServerResponse,
) {
  if (path === '/livez') return sendJson(response, 200, { ok: true })
  if (path === '/readyz') {
    const { ok, body } = options.ready()
    return sendJson(response, ok ? 200 : 503, body)
  }
  if (path === '/metrics') {
    const text = await options.registry.metrics()
    response.writeHead(200, { 'content-type': options.registry.contentType })
    return response.end(text)
  }
  const route = options.routes?.[path]
  if (!route) return sendJson(response, 404, { error: 'not_found' })
  return sendUnlessSame(response, route(headers), headers['if-none-match'])
}

function sendUnlessSame(response: ServerResponse, body: object, known: string | undefined) {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`
  response.setHeader('etag', etag)
  if (known !== etag) return sendJson(response, 200, body)
  response.writeHead(304)
  response.end()
}

function sendJson(response: ServerResponse, status: number, body: object) {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(text)
}

function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
