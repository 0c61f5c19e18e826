import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'

/** The peers: `priced` is Node alone with the same engine; `unpriced` is Koa with an answer that is ready. */
export type PeerRole = 'priced' | 'unpriced'

// The header fields of the API; its request id is random, that of the peers is as long.
const HEADERS = {
  'x-request-id': '00000000-0000-4000-8000-000000000000',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
}

const snapshot = compileRateSets(readRateSets(['rates/sets']))
const [, , role] = process.argv as [string, string, PeerRole]

const priced = (body: unknown, rates: Snapshot): unknown =>
  Array.isArray(body) ? body.map((each: QuoteRequest) => quote(each, rates)) : quote(body as QuoteRequest, rates)

/** The least that a server of Node can do: no route, no token, no check, no metric. */
function pricedByNode(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = JSON.stringify(priced(JSON.parse(Buffer.concat(chunks).toString()), snapshot))
    response.writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(text) }).end(text)
  })
}

/** Any Koa server with a JSON body: it parses the body and writes an answer, which was priced before. */
function unpricedByKoa(): RequestListener {
  const answers = new Map<number, string>()
  const app = new Koa()
  app.use(koaBody({ jsonLimit: '1mb' }))
  app.use((ctx) => {
    const { body } = ctx.request as { body?: unknown }
    const size = ctx.request.length ?? 0
    if (!answers.has(size)) answers.set(size, JSON.stringify(priced(body, snapshot)))
    ctx.set(HEADERS)
    ctx.body = answers.get(size)
  })
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}

const server = createServer(role === 'priced' ? pricedByNode : unpricedByKoa())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
