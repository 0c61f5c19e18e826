import { createServer, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { PageFile } from './page-files.ts'
import { SECURITY } from './security.ts'
import type { ExplorerRates } from './served.ts'

/** The page on a port of this machine, and the rates that it shows. */
export interface Explorer {
  url: string
  /** Resolves once a page has been sent the rates. */
  looked: Promise<void>
  /** Shows other rates on every open page. */
  show: (rates: ExplorerRates) => void
  stop: () => Promise<void>
}

/** Serves the page and `rates` on 127.0.0.1; port 0 chooses a free one. */
export async function serveExplorer(
  page: ReadonlyMap<string, PageFile>,
  rates: ExplorerRates,
  port = 0,
): Promise<Explorer> {
  let shown = gzipSync(JSON.stringify(rates))
  const followers = new Set<ServerResponse>()
  const looked = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    // Refuses a page of another site whose host name resolves to this machine (DNS rebinding).
    if (!isOwnHost(request.headers.host)) return answer(response, 421, plain('Wrong host.'))
    const path = (request.url ?? '/').split('?')[0]!
    // Of an answer to HEAD, Node sends the fields alone.
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, plain('Only GET and HEAD are answered.'))
    if (path === '/events' && request.method === 'GET') return follow(response, followers)
    if (path === '/rates.json') {
      response.once('finish', looked.resolve)
      return answer(response, 200, { type: 'application/json', content: shown, encoding: 'gzip' })
    }
    const file = page.get(path)
    if (file) answer(response, 200, file)
    else answer(response, 404, plain('There is no such page.'))
  })
  await listen(server, port)
  const address = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${address.port}/`,
    looked: looked.promise,
    show: (other) => {
      shown = gzipSync(JSON.stringify(other))
      for (const follower of followers) follower.write('event: rates\ndata: \n\n')
    },
    stop: () => stop(server),
  }
}

const isOwnHost = (host = '') => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)

interface Body extends PageFile {
  encoding?: string
}

const plain = (text: string): Body => ({ type: 'text/plain', content: Buffer.from(text) })

function answer(response: ServerResponse, status: number, { type, content, encoding }: Body): void {
  const headers = { ...SECURITY, 'Content-Type': type, 'Content-Length': content.length }
  response
    .writeHead(status, encoding === undefined ? headers : { ...headers, 'Content-Encoding': encoding })
    .end(content)
}

function follow(response: ServerResponse, followers: Set<ServerResponse>): void {
  response.writeHead(200, { ...SECURITY, 'Content-Type': 'text/event-stream' }).flushHeaders()
  followers.add(response)
  response.once('close', () => followers.delete(response))
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? inUse(port) : error))
    server.listen(port, '127.0.0.1', resolve)
  })

const inUse = (port: number) =>
  new Error(
    `Port ${port} is in use, perhaps by another explorer: give another one with --port N, or a free one with --port 0.`,
  )

const stop = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
