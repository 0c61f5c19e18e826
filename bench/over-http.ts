import { temporaryDirectory } from '../test/harness/temporary-directory.ts'
import { answerOf, measureRequests, type Load, type Measured } from './http/load.ts'
import { startPeer, startPricing, type Server } from './http/servers.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { agreed, measured } from './requests.ts'
import { percentile } from './rounds.ts'

const ROUNDS = 9
const BATCH = 25
/** Processor time of a quote, compared with Node alone, at most; its rate, compared with Koa, at least. */
const TARGETS = { cpu: 1.25, rate: 0.8 }

interface Compared extends Load {
  what: string
  /** Requests to each server before the rounds, and in each of them. */
  requests: { warm: number; round: number }
  hasTarget: boolean
}

const LOADS: readonly Compared[] = [
  {
    what: 'POST /v1/quote',
    path: '/v1/quote',
    body: JSON.stringify(measured),
    requests: { warm: 20_000, round: 8_000 },
    hasTarget: true,
  },
  {
    what: `POST /v1/quote/batch of ${BATCH}`,
    path: '/v1/quote/batch',
    body: JSON.stringify(agreed.slice(0, BATCH)),
    requests: { warm: 2_000, round: 600 },
    hasTarget: false,
  },
]

interface Servers {
  api: Server
  node: Server
  staged: Server
  koa: Server
}

type Round = Record<keyof Servers, Measured>

/** Quotes over HTTP, single and in a batch, compared with bare servers that answer with the same bytes. */
export async function overHttp(): Promise<Section> {
  const folder = temporaryDirectory('bench')
  const started: Server[] = []
  const kept = <S extends Server>(server: S) => (started.push(server), server)
  try {
    const pricing = kept(await startPricing(folder.path))
    const node = kept(await startPeer('priced'))
    const staged = kept(await startPeer('staged'))
    const servers: Servers = { api: pricing, node, staged, koa: kept(await startPeer('unpriced')) }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${pricing.token}` }
    const figures: Figure[] = []
    for (const each of LOADS) figures.push(...(await compare(each, servers, headers)))
    return { title: 'A quote over HTTP', how, figures }
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    folder.remove()
  }
}

const how =
  'The API program with the committed rate sets, token check, validation, metrics and logs, compared with three servers that ' +
  'answer with the same header fields and the same body, byte for byte: `node:http` alone, which parses the body, prices ' +
  'the same quote with the same engine and does nothing else; the same server, given the stages of the API (api/http/stages.ts); ' +
  'and Koa with koa-body, which parses the body and answers with a text that is ready. All that price have priced the worked examples of all sets first: an engine that meets one request only is ' +
  'compiled for that request. autocannon, 32 connections, on a process of its own. Each server first answers 20,000 requests ' +
  `(2,000 batches), which is beyond where its processor time stops falling; then ${ROUNDS} rounds of 8,000 requests ` +
  '(600 batches), each server first in turn, the median of the ratios.'

async function compare(load: Compared, servers: Servers, headers: Record<string, string>): Promise<Figure[]> {
  const names = Object.keys(servers) as (keyof Servers)[]
  const answers = await Promise.all(names.map((name) => answerOf(servers[name], load, headers)))
  if (new Set(answers).size !== 1) throw new Error(`the servers answer ${load.path} differently`)
  for (const name of names) await measureRequests(servers[name], load, { headers, amount: load.requests.warm })
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const one: Partial<Round> = {}
    // Each begins in its turn: the first of a round takes a tenth more processor time than when it is the second.
    for (const name of rotated(names, round))
      one[name] = await measureRequests(servers[name], load, { headers, amount: load.requests.round })
    rounds.push(one as Round)
  }
  return figuresOf(load, rounds)
}

const rotated = <Each>(all: readonly Each[], by: number): Each[] => {
  const start = by % all.length
  return [...all.slice(start), ...all.slice(0, start)]
}

const PEERS = {
  node: 'node:http alone, same bytes, priced',
  staged: 'the same, in the stages of the API',
  koa: 'Koa, same bytes, not priced',
}

function figuresOf({ what, hasTarget }: Compared, rounds: readonly Round[]): Figure[] {
  const median = (of: (round: Round) => number) => percentile(rounds.map(of), 50)
  const target = (is: boolean, text: string, met: boolean) =>
    hasTarget && is ? { target: text, met } : { target: '', met: null }
  return (Object.keys(PEERS) as (keyof typeof PEERS)[]).flatMap((peer) => {
    const cpu = median(({ api, [peer]: other }) => api.cpuUs / other.cpuUs)
    const rate = median(({ api, [peer]: other }) => api.perSecond / other.perSecond)
    const both = (of: (each: Measured) => number) => [median(({ api }) => of(api)), median((round) => of(round[peer]))]
    const [ownUs = NaN, peerUs = NaN] = both(({ cpuUs }) => cpuUs)
    const [own = NaN, theirs = NaN] = both(({ perSecond }) => perSecond)
    const comparedWith = PEERS[peer]
    return [
      {
        what: `${what}, processor time of a request`,
        measured: `${ownUs.toFixed(0)} µs; peer ${peerUs.toFixed(0)} µs`,
        comparedWith,
        ratio: ratioOf(cpu, 1),
        ...target(peer === 'node', `at most ${TARGETS.cpu}`, cpu <= TARGETS.cpu),
      },
      {
        what: `${what}, rate`,
        measured: `${own.toFixed(0)} a second; peer ${theirs.toFixed(0)}`,
        comparedWith,
        ratio: ratioOf(rate, 1),
        ...target(peer === 'koa', `${TARGETS.rate} or more`, rate >= TARGETS.rate),
      },
    ]
  })
}
