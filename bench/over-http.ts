import autocannon from 'autocannon'
import { temporaryDirectory } from '../test/harness/temporary-directory.ts'
import { startEcho, startPricing, type Server } from './http/servers.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { agreed, measured } from './requests.ts'
import { percentile } from './rounds.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const CONNECTIONS = 32
const BATCH = 25
const TARGET = 0.7

interface Load {
  what: string
  path: string
  body: unknown
  target: number | null
}

const LOADS: readonly Load[] = [
  { what: 'POST /v1/quote', path: '/v1/quote', body: measured, target: TARGET },
  { what: `POST /v1/quote/batch of ${BATCH}`, path: '/v1/quote/batch', body: agreed.slice(0, BATCH), target: null },
]

/** Quotes over HTTP, single and in a batch, compared with a bare Koa server that returns the same bodies. */
export async function overHttp(): Promise<Section> {
  const folder = temporaryDirectory('bench')
  const [echo, pricing] = [await startEcho(), await startPricing(folder.path)]
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${pricing.token}` }
  try {
    const figures: Figure[] = []
    for (const load of LOADS) figures.push(...(await compare(load, { echo, pricing, headers })))
    return { title: 'A quote over HTTP', how, figures }
  } finally {
    await Promise.all([echo.stop(), pricing.stop()])
    folder.remove()
  }
}

const how =
  'The API program with the committed rate sets, token check, validation, metrics and logs, compared with a Koa server ' +
  'that parses the same body with koa-body and sends the body back. ' +
  `autocannon, ${CONNECTIONS} connections; three processes; alternating rounds of ${ROUND_SECONDS} seconds, the median of ${ROUNDS} ratios.\n\n` +
  'A profile of one quote: 43 % of the time is spent on writing to the socket (the answer is four times as long as the ' +
  'echo’s; the echo spends 48 % of its own time there), 10 % on pricing, 8 % on JSON.stringify, 6 % on JSON.parse, 3 % on ' +
  'validation, 2 % on metrics, 2 % on the token and the request id; the rest is Node’s HTTP and Koa, as in the echo. A serializer ' +
  'written for the shape of a quote was no faster than JSON.stringify, and a smaller or larger young generation changed nothing.'

interface Measured {
  perSecond: number
  /** Processor time of the server per request. */
  cpuUs: number
}

async function compare(load: Load, on: { echo: Server; pricing: Server; headers: Record<string, string> }) {
  const rounds: { echo: Measured; pricing: Measured }[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const echo = await measure(on.echo, load, on.headers)
    const pricing = await measure(on.pricing, load, on.headers)
    // The first round warms up the compilers of both.
    if (round >= 0) rounds.push({ echo, pricing })
  }
  const median = (of: (round: { echo: Measured; pricing: Measured }) => number) => percentile(rounds.map(of), 50)
  const comparedWith = 'a Koa echo of the same body'
  const rate = median(({ echo, pricing }) => pricing.perSecond / echo.perSecond)
  const { what, target } = load
  return [
    {
      what,
      measured: `${median(({ pricing }) => pricing.perSecond).toFixed(0)} a second`,
      comparedWith,
      ratio: ratioOf(rate, 1),
      target: target === null ? '' : `${target} or more`,
      met: target === null ? null : rate >= target,
    },
    {
      what: `${what}, processor time`,
      measured: `${median(({ pricing }) => pricing.cpuUs).toFixed(0)} µs`,
      ratio: ratioOf(
        median(({ echo, pricing }) => pricing.cpuUs / echo.cpuUs),
        1,
      ),
      comparedWith,
      target: '',
      met: null,
    },
  ]
}

async function measure(server: Server, { path, body }: Load, headers: Record<string, string>): Promise<Measured> {
  const url = `${server.url}${path}`
  const options = { method: 'POST' as const, connections: CONNECTIONS, duration: ROUND_SECONDS, headers }
  const before = await server.cpuSeconds()
  const { errors, timeouts, non2xx, requests } = await autocannon({ url, ...options, body: JSON.stringify(body) })
  const failed = errors + timeouts + non2xx
  if (failed > 0) throw new Error(`${failed} of ${requests.total} requests to ${url} failed`)
  const cpuUs = (((await server.cpuSeconds()) - before) * 1e6) / requests.total
  return { perSecond: requests.average, cpuUs }
}
