import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { committedRates } from '../contract/committed-rates.ts'
import { openedStore, type OpenedStore } from '../../inventory/opened-store.ts'
import { startUploadServer, type UploadServer } from '../../inventory/uploads.ts'
import { startPricingServer, type PricingServer } from '../pricing-server.ts'
import { brokenRequests, bytesOf, type Broken } from './broken-requests.ts'
import { sendRaw } from './raw-request.ts'

// No anonymous 500: whatever is sent to any operation of either API, every refusal has a body that its client can act on.
let pricing: PricingServer
let opened: OpenedStore
let uploads: UploadServer
beforeAll(async () => {
  pricing = await startPricingServer(committedRates())
  opened = await openedStore()
  uploads = await startUploadServer(() => opened.store, { perMinute: 1_000_000 })
})
afterAll(async () => {
  await uploads?.close()
  await opened?.close()
  await pricing?.close()
})

interface Described {
  paths: Record<string, Record<string, unknown>>
}
const operationsOf = (file: string) =>
  Object.entries((parse(readFileSync(file, 'utf8')) as Described).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/, '%ff') })),
  )

/** What is wrong with the answer; undefined when it is one that a client can act on. */
async function faultOf(port: number, request: Buffer, path: string): Promise<string | undefined> {
  const answer = await sendRaw(port, request)
  if (!answer) return 'no answer'
  const { status, headers, body } = answer
  if (!headers['x-request-id']) return `${status} without a request id`
  if (status < 400) return undefined
  if (status >= 500) return `${status}: ${body.slice(0, 100)}`
  const { code, error, message, error_description: description } = JSON.parse(body) as Record<string, unknown>
  const isOAuth = path === '/oauth/token' && typeof error === 'string' && typeof description === 'string'
  const isOurs = typeof code === 'string' && typeof message === 'string' && body.length < 12_000
  return isOurs || isOAuth ? undefined : `${status}: ${body.slice(0, 100)}`
}

async function faultsOf(url: string, file: string, token: string): Promise<string[]> {
  const port = Number(new URL(url).port)
  const all = brokenRequests()
  const faults: string[] = []
  for (const { method, path } of operationsOf(file)) {
    const sent = (broken: Broken, as?: string) => faultOf(port, bytesOf(method, path, broken, as), path).catch(String)
    for (const broken of all) {
      const found = [await sent(broken, token), await sent(broken)].filter((each) => each !== undefined)
      faults.push(...found.map((fault) => `${method} ${path}, ${broken.name}: ${fault}`))
    }
  }
  return faults
}

test(
  'pricing: each broken request to each operation gets an answer that says what is wrong',
  { timeout: 240_000 },
  async () => {
    expect(await faultsOf(pricing.url, 'api/pricing/openapi.yaml', await pricing.token())).toEqual([])
  },
)

test(
  'inventory: each broken request to each operation gets an answer that says what is wrong',
  { timeout: 240_000 },
  async () => {
    expect(await faultsOf(uploads.url, 'api/inventory/openapi.yaml', await uploads.token())).toEqual([])
  },
)
