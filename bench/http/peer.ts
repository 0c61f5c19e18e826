import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { PricingFault } from '#rates/engine/answer.ts'
import { yearDates } from '#rates/engine/dates.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { requestOf } from '#rates/proof/example-request.ts'
import { handleTogether, writeTogether } from '../../api/http/stages.ts'

/**
 * The peers: `priced` is Node alone with the same engine; `staged` is the same in the stages of the API; `unpriced` is
 * Koa with an answer that is ready.
 */
export type PeerRole = 'priced' | 'staged' | 'unpriced'

// The header fields of the API; its request id is random, that of the peers is as long.
const HEADERS = {
  'x-request-id': '00000000-0000-4000-8000-000000000000',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
}

/** Quotes before the first request, as many as the API prices before it is ready. */
const QUOTES = 5_000

const files = readRateSets(['rates/sets'])
const snapshot = compileRateSets(files)
const [, , role] = process.argv as [string, string, PeerRole]

const priced = (body: unknown, rates: Snapshot): unknown =>
  Array.isArray(body) ? body.map((each: QuoteRequest) => quote(each, rates)) : quote(body as QuoteRequest, rates)

/**
 * Prices the worked examples. An engine that has only ever priced one request is compiled for that request; no server
 * has such callers.
 */
function priceExamples(): void {
  const specs = files.map(({ spec }) => spec as RateSetSpec).filter(({ quotable }) => quotable !== false)
  const requests = specs.flatMap(({ pricingCode, financialYear, examples = [] }) =>
    examples.map(({ given }) => requestOf(given, pricingCode, given.date ?? yearDates(financialYear).startDate)),
  )
  for (let at = 0; at < QUOTES; at++) {
    try {
      quote({ ...requests[at % requests.length]!, showroomCode: 'MEL01' } as QuoteRequest, snapshot)
    } catch (fault) {
      // Some examples show what is refused.
      if (!(fault instanceof PricingFault)) throw fault
    }
  }
}

interface Stages {
  handle(go: () => void): void
  write(go: () => void): void
}

const together: Stages = { handle: handleTogether, write: writeTogether }
const oneByOne: Stages = { handle: (go) => go(), write: (go) => go() }

/** The least that a server of Node can do: no route, no token, no check, no metric. */
function pricedByNode({ handle, write }: Stages): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = []
    const answer = () => {
      const text = JSON.stringify(priced(JSON.parse(Buffer.concat(chunks).toString()), snapshot))
      response.writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(text) })
      write(() => response.end(text))
    }
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handle(answer))
  }
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

if (role !== 'unpriced') priceExamples()
const server = createServer(
  role === 'unpriced' ? unpricedByKoa() : pricedByNode(role === 'staged' ? together : oneByOne),
)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
