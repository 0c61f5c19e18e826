import autocannon from 'autocannon'
import { temporaryDirectory } from '../test/harness/temporary-directory.ts'
import { startEcho, startPricing } from './http/servers.ts'
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

/** Quotes over HTTP, one and in a batch, beside a bare Koa server that answers with the same bodies. */
export async function overHttp(): Promise<Section> {
  const folder = temporaryDirectory('bench')
  const [echo, pricing] = [await startEcho(), await startPricing(folder.path)]
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${pricing.token}` }
  try {
    const figures: Figure[] = []
    for (const load of LOADS) figures.push(await compare(load, { echo: echo.url, pricing: pricing.url, headers }))
    return { title: 'A quote over HTTP', how, figures }
  } finally {
    await Promise.all([echo.stop(), pricing.stop()])
    folder.remove()
  }
}

const how =
  'The API program with the committed rate sets, its token check, its validation, its metrics and its logs, beside a Koa ' +
  'server that parses the same body with koa-body and sends it back. ' +
  `autocannon, ${CONNECTIONS} connections; three processes; rounds of ${ROUND_SECONDS} seconds in turns, the median of ${ROUNDS} ratios.`

async function compare(load: Load, on: { echo: string; pricing: string; headers: Record<string, string> }) {
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const echoed = await perSecond(`${on.echo}${load.path}`, load.body, on.headers)
    const priced = await perSecond(`${on.pricing}${load.path}`, load.body, on.headers)
    // The first round is for the compilers of both.
    if (round >= 0) ratios.push(priced / echoed)
    if (round >= 0) rates.push(priced)
  }
  return figureOf(load, percentile(ratios, 50), percentile(rates, 50))
}

async function perSecond(url: string, body: unknown, headers: Record<string, string>): Promise<number> {
  const options = { method: 'POST' as const, connections: CONNECTIONS, duration: ROUND_SECONDS, headers }
  const result = await autocannon({ url, ...options, body: JSON.stringify(body) })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`)
  return result.requests.average
}

function figureOf({ what, target }: Load, ratio: number, perSecond: number): Figure {
  return {
    what,
    measured: `${Math.round(perSecond)} a second`,
    comparedWith: 'a Koa echo of the same body',
    ratio: ratioOf(ratio, 1),
    target: target === null ? '' : `${target} or more`,
    met: target === null ? null : ratio >= target,
  }
}
