import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { binding, clientsOf, ISSUER, SECRET, startPricingServer, type PricingServer } from '../pricing-server.ts'
import { committedRates } from './committed-rates.ts'
import { generateClient, onePerLine, unfaulted, type GeneratedClient } from './generate-client.ts'
import { answeredOperations, describedOperations } from './operations.ts'

// A client that is written only from GET /spec; the compiler takes its time on a busy machine.
const SLOW_MS = 240_000
let server: PricingServer
let generated: GeneratedClient

beforeAll(async () => {
  server = await startPricingServer(committedRates())
  server.holder.swap({ clients: clientsOf(binding('dealer', { grants: ['pricing:quote', 'inventory:write'] })) })
  generated = await generateClient(`${server.url}/spec`)
  await generated.write('program.ts', readFileSync(new URL('pricing-program.txt', import.meta.url), 'utf8'))
})
afterAll(async () => {
  generated.remove()
  await server.close()
})

interface Printed {
  driveAway: number
  batch: [number, boolean][]
  solved: [number, number, boolean, number]
  years: string[]
  [field: string]: unknown
}

test('a client written only from GET /spec makes every call', { timeout: SLOW_MS }, async () => {
  expect(generated.faultsOf('program.ts')).toEqual([])
  const printed = await generated.run<Printed>('program.ts', server.url, 'dealer', SECRET)
  expect(printed).toMatchObject({
    token: { type: 'Bearer', scope: 'pricing:quote', keys: ['k1'], issuer: ISSUER },
    openapi: '3.0.3',
    releaseKeys: ['r1'],
    releases: [[true], true, true],
    corrected: [true, 0],
    // Duties Act 2000 (Vic), passenger cars up to the luxury car tax threshold: $8.40 for each $200 of $45,000 or part.
    duty: 225 * 840,
    target: { driveAway: 5000000, adjustLineIndex: 0, increment: 100 },
    offered: [[3, 6, 12], 'assumed'],
    concession: ['string', true],
    sources: true,
    calendar: true,
    feed: true,
    changed: ['2026-07-01', expect.any(String), true],
    refused: [403, 'SHOWROOM_ACCESS_DENIED'],
  })
  expect(printed['assumptions']).toContainEqual(['/vehicleGeneric', null])
  expect(printed.batch).toEqual([
    [printed.driveAway, false],
    [printed.driveAway, true],
  ])
  const [reached, quoted, exact, shortfall] = printed.solved
  expect([quoted, reached + shortfall, exact]).toEqual([reached, 5000000, shortfall === 0])
  expect(printed.years).toContain('2026-2027')
  expect(await answeredOperations(server.registry)).toEqual(await describedOperations(`${server.url}/spec`))
})

const IMPORTS = `import * as api from './client/index.ts'; declare const request: api.QuoteRequest, quote: api.Quote, line: api.Line`
const RIGHT = {
  'a quote': 'api.createQuote({ body: request })',
  'a discount': `api.createQuote({ body: { ...request, pricingInputs: { dutiable: [line, { description: '', value: -1, kind: 'discount' }] } } })`,
  'a claim': `api.createQuote({ body: { ...request, customer: { concession: { hasConcession: true, type: 'PENSIONER' } } } })`,
  'a day': `api.listConcessions({ query: { pricingCode: 'AU_VIC', date: '2026-08-10' } })`,
}
const WRONG = {
  'a price that is a text': `api.createQuote({ body: { ...request, pricingInputs: { dutiable: [{ ...line, value: '45000.00' }] } } })`,
  'a line without a value': `api.createQuote({ body: { ...request, pricingInputs: { dutiable: [{ description: 'Vehicle' }] } } })`,
  'a quote without lines': `api.createQuote({ body: { ...request, pricingInputs: {} } })`,
  'a quote for no showroom': 'api.createQuote({ body: { ...request, showroomCode: undefined } })',
  'a quote without a registration': `api.createQuote({ body: { ...request, registration: undefined } })`,
  'a field that is misspelt': `api.createQuote({ body: { ...request, registration: { startDate: '2026-08-10', termMonth: 12 } } })`,
  'a fuel that is none': `api.createQuote({ body: { ...request, vehicleGeneric: { fuelType: 'petrol' } } })`,
  'a policy that is none': `api.createQuote({ body: { ...request, taxDatePolicy: { outOfRange: 'ignore' } } })`,
  'a quote without a body': 'api.createQuote({})',
  'one quote as a batch': 'api.createQuoteBatch({ body: request })',
  'a target that is left out': 'api.solveTargetDriveAway({ body: request })',
  'a target without its figure': 'api.solveTargetDriveAway({ body: { ...request, target: { increment: 1 } } })',
  'rules without a day': `api.listRules({ query: { pricingCode: 'AU_VIC', showroomCode: 'MEL01' } })`,
  'rules of no showroom': `api.listRules({ query: { pricingCode: 'AU_VIC', date: '2026-08-10' } })`,
  'concessions of nowhere': 'api.listConcessions({ query: {} })',
  'another grant type': `api.createToken({ body: { grant_type: 'password' } })`,
  'a total that is not there': 'quote.totals.driveaway',
  'an assumption taken for a number': 'quote.metadata.assumptions.map(({ assumed }) => assumed + 1)',
  'a day of a fallback that may be missing': 'quote.metadata.taxEffectiveDate.slice(0, 4)',
}

test('what the service would refuse does not compile with the generated client', { timeout: SLOW_MS }, async () => {
  await generated.write('right.ts', onePerLine(IMPORTS, RIGHT))
  expect(generated.faultsOf('right.ts')).toEqual([])
  await generated.write('wrong.ts', onePerLine(IMPORTS, WRONG))
  const faults = generated.faultsOf('wrong.ts')
  expect(unfaulted(WRONG, faults)).toEqual([])
  expect(faults.filter(({ file }) => file !== 'wrong.ts')).toEqual([])
})
