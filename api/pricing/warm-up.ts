import { Agent, request } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Registry } from 'prom-client'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { yearDates } from '#rates/engine/dates.ts'
import { requestOf } from '#rates/proof/example-request.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { createLog, type Logger } from '#runtime/log.ts'
import { signAccessToken } from '../auth/access-token.ts'
import { importKeyRing } from '../auth/key-ring.ts'
import { createAudit } from '../http/audit.ts'
import type { Contract } from '../http/contract.ts'
import { measure } from '../http/measure.ts'
import { serve } from '../http/serve.ts'
import { createHolder, holdClients, type HeldRates, type Holder } from '../load/held.ts'
import { createPricingApp } from './app.ts'
import { PRICING_GRANT } from './operation.ts'

/** What a warm-up may cost. */
export interface WarmUpBounds {
  /** Requests in all; the examples are sent again until there were so many. */
  requests: number
  /** Different requests: with 500 sets, not every example is sent. */
  different: number
  ms: number
}

// The processor time of a quote falls until some ten thousand were answered, most of it at the beginning. A process
// with little processor time stops at the time instead, because a late process is worse than a slow one.
const BOUNDS: WarmUpBounds = { requests: 5_000, different: 300, ms: 3_000 }
const AT_ONCE = 8

/** The warm-up of a process that quotes. */
export interface WarmUp {
  isOver(): boolean
  /** The answered requests; 0 before it is over. */
  readonly answered: number
  /** Ends it early; resolves when nothing of it runs any more. */
  stop(): Promise<void>
}

export interface WarmUpOptions {
  /** The warm-up begins when this holder has rates. */
  holder: Pick<Holder, 'whenLoaded'>
  /** The contract of the program, so that its own validators are warmed. */
  contract: Contract
  log: Logger
  bounds?: WarmUpBounds
}

/**
 * Compiles the code of quotes before callers wait for it: the worked examples of the loaded sets are sent over HTTP to an
 * application of its own, on a loopback port with a client and a key that nobody else has. Its requests are in no
 * metric and no log of the program. A warm-up that fails is logged, and is over.
 */
export function startWarmUp(options: WarmUpOptions): WarmUp {
  const stopping = new AbortController()
  let isOver = false
  let answered = 0
  const run = async () => {
    const rates = await Promise.race([options.holder.whenLoaded('rates'), aborted(stopping.signal)])
    if (!rates) return
    const start = performance.now()
    try {
      answered = await quoteExamples(rates, options, stopping.signal)
    } catch (error) {
      options.log.warn({ err: error }, 'could not warm up; the first quotes will be slow')
    }
    isOver = true
    options.log.info({ quotes: answered, ms: Math.round(performance.now() - start) }, 'warmed up')
  }
  const ended = run()
  return {
    isOver: () => isOver,
    get answered() {
      return answered
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))

/** The bodies of a warm-up: the first example of each set that can be quoted, then the second of each, and so on. */
export function exampleBodies(specs: readonly RateSetSpec[], most: number): string[] {
  const quotable = specs.filter(({ quotable }) => quotable !== false)
  const bodies: string[] = []
  const longest = Math.max(0, ...quotable.map(({ examples = [] }) => examples.length))
  for (let turn = 0; turn < longest; turn++) {
    for (const { pricingCode, financialYear, examples = [] } of quotable) {
      const example = examples[turn]
      if (bodies.length === most) return bodies
      if (!example) continue
      const date = example.given.date ?? yearDates(financialYear).startDate
      bodies.push(
        JSON.stringify({ ...requestOf(example.given, pricingCode, date), showroomCode: NOBODY.showroomCodes[0] }),
      )
    }
  }
  return bodies
}

const NOBODY: ClientBinding = {
  clientId: 'warm-up',
  uid: 'warm-up',
  displayName: 'warm-up',
  showroomCodes: ['warm-up'],
  grants: [PRICING_GRANT],
  suspended: false,
  secrets: [],
  jwks: [],
  subjects: [],
}

const TERMS = { issuer: 'https://warm-up.invalid', audience: 'warm-up' }

/** Sends the examples until a bound is reached; returns how many were answered, also with a refusal. */
async function quoteExamples(rates: HeldRates, { contract, bounds = BOUNDS }: WarmUpOptions, stopped: AbortSignal) {
  const bodies = exampleBodies(rates.snapshot.specs, bounds.different)
  if (bodies.length === 0) return 0
  const { app, token } = await createOwnApp(rates, contract)
  const served = await serve(app, { host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(bounds.ms)])
  const send = senderTo(`${served.url}/v1/quote`, { agent, signal, token })
  let sent = 0
  let answered = 0
  const lane = async () => {
    while (sent < bounds.requests && !signal.aborted) {
      await send(bodies[sent++ % bodies.length]!)
      answered += 1
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    agent.destroy()
    await served.close()
  }
  return answered
}

/** The application of the program with other surroundings: one client, one key, metrics and a log that nobody reads. */
async function createOwnApp(rates: HeldRates, contract: Contract) {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'warm-up' }
  const keys = await importKeyRing({ keys: [{ state: 'current', since: new Date().toISOString(), jwk }] })
  const clients = holdClients({ byId: new Map([[NOBODY.clientId, NOBODY]]), digest: '', sequence: 0 })
  const holder = createHolder()
  holder.swap({ rates, clients, keys })
  const registry = new Registry()
  const log = createLog({ name: 'warm-up', level: 'silent' })
  const services = { ...TERMS, holder, log, contract, clock: Date.now, countUnpriced: () => undefined }
  const app = await createPricingApp({ ...services, measured: measure(registry), audit: createAudit(log, registry) })
  const scopes = [PRICING_GRANT]
  const token = await signAccessToken(keys.signer!, NOBODY, { ...TERMS, scopes, now: Math.floor(Date.now() / 1_000) })
  return { app, token }
}

interface Sending {
  agent: Agent
  signal: AbortSignal
  token: string
}

/** Returns a function that posts one body and resolves once the whole answer has arrived. */
function senderTo(url: string, { agent, signal, token }: Sending): (body: string) => Promise<void> {
  const common = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return (body) =>
    new Promise((resolve, reject) => {
      const headers = { ...common, 'content-length': Buffer.byteLength(body) }
      const sent = request(url, { method: 'POST', agent, signal, headers }, (response) => {
        response.resume().on('end', resolve).on('error', reject)
      })
      sent.on('error', reject).end(body)
    })
}
