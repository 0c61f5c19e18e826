import { afterAll, beforeAll, expect } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { bearer, binding, clientsOf, startPricingServer, type PricingServer } from '../pricing-server.ts'
import { answerChecker } from './described.ts'
import { committedRates } from './committed-rates.ts'

export const SHOWROOMS = ['SYD01', 'MEL01', 'BNE01', 'ADL01', 'PER01', 'HBA01', 'CBR01', 'DRW01']

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

/** An error body as the seed has it. */
export interface Refusal {
  code: string
  message: string
  errors?: { path: string; message: string; errorCode: string }[]
}

interface Asking {
  body?: unknown
  headers?: Record<string, string>
  /** The client that asks; null sends no credential. */
  as?: string | null
}

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>
}

/**
 * The running application with the committed rate sets for the tests of one file. Every answer that is asked for by it
 * is checked against the served document: status, headers, body, error code.
 */
export function contractServer() {
  let server: PricingServer
  let document: Described
  let faultsOf: Awaited<ReturnType<typeof answerChecker>>
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    server = await startPricingServer(committedRates())
    const dealer = binding('dealer', { showroomCodes: SHOWROOMS })
    const suspended = binding('suspended', { suspended: true })
    server.holder.swap({ clients: clientsOf(dealer, suspended, binding('uploader', { grants: ['inventory:write'] })) })
    document = (await (await server.get('/spec')).json()) as Described
    faultsOf = await answerChecker(document)
  })
  afterAll(() => server.close())

  async function tokenOf(client: string): Promise<string> {
    const known = tokens.get(client) ?? (await server.token(client))
    tokens.set(client, known)
    return known
  }

  async function ask<Body = Record<string, unknown>>(method: string, path: string, asking: Asking = {}) {
    const { body, as = 'dealer' } = asking
    const headers = { ...(as === null ? {} : bearer(await tokenOf(as))), ...asking.headers }
    const response = await (body === undefined
      ? fetch(`${server.url}${path}`, { method, headers })
      : server.post(path, body, headers))
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, body: bodyOf(response, text) as Body }
    const operation = document.paths[path.split('?')[0]!]?.[method.toLowerCase()]
    if (operation) expect(faultsOf({ ...answer, operationId: operation.operationId })).toEqual([])
    return answer
  }

  return {
    ask,
    server: () => server,
    document: () => document,
    get: <Body>(path: string, asking: Asking = {}) => ask<Body>('GET', path, asking),
    /** The quote of a request; fails the test when it is refused. */
    quote: async (body: unknown): Promise<Quote> => {
      const answer = await ask<Quote>('POST', '/v1/quote', { body })
      expect([answer.status, (answer.body as Partial<Refusal>).message]).toEqual([200, undefined])
      return answer.body
    },
    /** Status, code and paths of a refusal. */
    refused: async (path: string, body: unknown, asking: Asking = {}) => {
      const answer = await ask<Refusal>('POST', path, { body, ...asking })
      return { status: answer.status, code: answer.body.code, paths: answer.body.errors?.map((error) => error.path) }
    },
  }
}

/** Calendars and feeds are text; everything else is JSON. */
const bodyOf = ({ headers }: Response, text: string): unknown =>
  /^(text\/calendar|application\/atom\+xml)/.test(headers.get('content-type') ?? '') ? text : JSON.parse(text || 'null')
