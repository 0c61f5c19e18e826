import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeClientPackage } from '../../tools/integration/client-package.ts'
import { collectionOf, type ApiDocument } from '../../tools/integration/collection.ts'
import { committedRates } from '../api/contract/committed-rates.ts'
import { SHOWROOMS } from '../api/contract/contract-server.ts'
import { binding, clientsOf, SECRET, startPricingServer, type PricingServer } from '../api/pricing-server.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

// What integrators get from dist/: used as they would use it.
const SLOW_MS = 240_000
const folder = temporaryDirectory('integration')
const documentOf = (name: string) => parse(readFileSync(`api/${name}/openapi.yaml`, 'utf8')) as ApiDocument
let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer(committedRates())
  server.holder.swap({ clients: clientsOf(binding('dealer', { showroomCodes: SHOWROOMS })) })
})
afterAll(async () => {
  await server?.close()
  folder.remove()
})

const PROGRAM = `
import { client, createQuote, createToken, type QuoteRequest } from '@driveaway/client/pricing'
import { createBatch } from '@driveaway/client/inventory'

const [baseUrl = '', secret = ''] = process.argv.slice(2)
client.setConfig({ baseUrl })
const { data: token } = await createToken({ body: { grant_type: 'client_credentials', client_id: 'dealer', client_secret: secret } })
client.setConfig({ auth: () => token?.access_token })
const body: QuoteRequest = {
  pricingCode: 'AU_VIC', showroomCode: 'MEL01', purchaseDate: '2026-08-03',
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 4500000 }] }, registration: { startDate: '2026-08-10' },
}
const { data, response } = await createQuote({ body })
console.log(JSON.stringify([response?.status, data?.totals.driveAway, typeof createBatch]))
`

test('the client package compiles for whoever installs it, and makes a quote', { timeout: SLOW_MS }, async () => {
  const sources = ['pricing', 'inventory'].map((name) => ({ name, document: documentOf(name) }))
  const archive = await writeClientPackage(sources, {
    folder: join(folder.path, 'package'),
    version: '9.9.9',
    into: join(folder.path, 'dist'),
  })
  const installed = join(folder.path, 'user/node_modules/@driveaway/client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['xzf', archive, '--strip-components=1', '-C', installed])
  const program = join(folder.path, 'user/program.ts')
  writeFileSync(program, PROGRAM)
  writeFileSync(join(folder.path, 'user/package.json'), '{"type":"module"}')
  const options: ts.CompilerOptions = {
    ...{
      noEmit: true,
      strict: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    },
    ...{ target: ts.ScriptTarget.ES2022, types: ['node'], typeRoots: [join(process.cwd(), 'node_modules/@types')] },
  }
  const faults = ts.getPreEmitDiagnostics(ts.createProgram([program], options))
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  // Not by execFileSync: the server that it asks is in this process.
  const { stdout } = await promisify(execFile)(process.execPath, [program, server.url, SECRET])
  expect(JSON.parse(stdout)).toEqual([200, expect.any(Number), 'function'])
})

interface Item {
  name: string
  item?: Item[]
  request?: {
    method: string
    auth?: { type: string }
    header: { key: string; value: string }[]
    url: { raw: string }
    body?: { mode: string; raw?: string; urlencoded?: { key: string; value: string }[] }
  }
}

const itemsOf = (items: readonly Item[]): Item[] => items.flatMap((each) => (each.item ? itemsOf(each.item) : [each]))

/** Sends a request of a collection as a client of the format does: its variables filled in, its authentication made. */
async function sent({ request }: Item, token: string): Promise<number> {
  const { method, url, header, body, auth } = request!
  const basic = `Basic ${Buffer.from(`dealer:${SECRET}`).toString('base64')}`
  const headers = new Headers(header.map(({ key, value }): [string, string] => [key, value]))
  if (auth?.type !== 'noauth') headers.set('authorization', auth?.type === 'basic' ? basic : `Bearer ${token}`)
  const form =
    body?.urlencoded && new URLSearchParams(Object.fromEntries(body.urlencoded.map(({ key, value }) => [key, value])))
  const { release } = server.holder.read().rates!.snapshot
  const response = await fetch(url.raw.replace(':release', release).replace('{{baseUrl}}', server.url), {
    method,
    headers,
    body: form ?? body?.raw ?? null,
  })
  return response.status
}

test('each request of the pricing collection is answered with 200, with nothing but its variables filled in', async () => {
  const { item, info } = collectionOf(documentOf('pricing')) as { item: Item[]; info: { schema: string } }
  expect(info.schema).toContain('v2.1.0')
  const token = await server.token()
  const items = itemsOf(item)
  expect(items.length).toBeGreaterThan(9)
  for (const each of items) expect([each.name, await sent(each, token)]).toEqual([each.name, 200])
})

test('the inventory collection has every operation of its document, with the example of a batch', () => {
  const { item } = collectionOf(documentOf('inventory')) as { item: Item[] }
  expect(itemsOf(item).map(({ request }) => `${request!.method} ${request!.url.raw}`)).toEqual([
    'POST {{baseUrl}}/batch',
    'GET {{baseUrl}}/jobs/:job_id',
    'GET {{baseUrl}}/spec',
  ])
  expect(JSON.parse(itemsOf(item)[0]!.request!.body!.raw!)).toMatchObject({ items: [{ vehicle: { make: 'Kia' } }] })
})
