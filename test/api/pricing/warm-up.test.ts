import { Writable } from 'node:stream'
import { onTestFinished, expect, test } from 'vitest'
import { configure } from '../../../api/configuration.ts'
import { createHolder } from '../../../api/load/held.ts'
import { readPricingContract } from '../../../api/pricing/app.ts'
import { exampleBodies, startWarmUp, type WarmUpBounds } from '../../../api/pricing/warm-up.ts'
import { startApi } from '../../../api/start.ts'
import { quote } from '../../../rates/engine/quote/quote.ts'
import type { RateSetSpec } from '../../../rates/engine/grammar/rate-set.ts'
import type { QuoteRequest } from '../../../rates/engine/request.ts'
import { createLog } from '../../../runtime/log.ts'
import { freePort } from '../../../tools/stack/free-port.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { victorianRates } from '../victorian-rates.ts'

const contract = await readPricingContract()

function warming(bounds: WarmUpBounds) {
  const holder = createHolder()
  const warmUp = startWarmUp({ holder, contract, log: createLog({ name: 'test', level: 'silent' }), bounds })
  onTestFinished(() => warmUp.stop())
  return { holder, warmUp }
}

test('the examples of the first rates are quoted as often as the bound says, and no later rates are', async () => {
  const { holder, warmUp } = warming({ requests: 40, different: 7, ms: 60_000 })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(warmUp.isOver()).toBe(false)
  holder.swap({ rates: victorianRates() })
  await waitFor('the end of the warm-up', () => warmUp.isOver())
  expect(warmUp.answered).toBe(40)
  holder.swap({ rates: victorianRates('8.80') })
  expect([warmUp.isOver(), warmUp.answered]).toEqual([true, 40])
})

test('a warm-up ends at its time, however many requests are left', async () => {
  const { holder, warmUp } = warming({ requests: 1e9, different: 300, ms: 200 })
  holder.swap({ rates: victorianRates() })
  await waitFor('the end of the warm-up', () => warmUp.isOver())
  expect(warmUp.answered).toBeLessThan(1e6)
})

test('rates without examples are not waited for', async () => {
  const { holder, warmUp } = warming({ requests: 40, different: 7, ms: 60_000 })
  const rates = victorianRates()
  const specs = rates.snapshot.specs.map((spec) => ({ ...spec, examples: [] }))
  holder.swap({ rates: { ...rates, snapshot: { ...rates.snapshot, specs } } })
  await waitFor('the end of the warm-up', () => warmUp.isOver())
  expect(warmUp.answered).toBe(0)
})

test('a process that stops before it has rates waits for no warm-up', async () => {
  const { warmUp } = warming({ requests: 40, different: 7, ms: 60_000 })
  await warmUp.stop()
  expect([warmUp.isOver(), warmUp.answered]).toEqual([false, 0])
})

test('of many sets each gives its first example before any gives its second, and no more than the bound', () => {
  const named = (pricingCode: string, ...names: string[]) => {
    const examples = names.map((postcode) => ({ given: { postcode, dutiable: '1' } }))
    return { pricingCode, financialYear: '2026-2027', examples } as unknown as RateSetSpec
  }
  const specs = [
    named('A', '0001', '0002'),
    { ...named('B', '0003'), quotable: false },
    named('C'),
    named('D', '0004', '0005', '0006'),
  ]
  const postcodes = (most: number) =>
    exampleBodies(specs, most).map((body) => (JSON.parse(body) as QuoteRequest).registration.postcode)
  expect(postcodes(300)).toEqual(['0001', '0004', '0002', '0005', '0006'])
  expect(postcodes(3)).toEqual(['0001', '0004', '0002'])
})

test('the Victorian examples are requests that the program prices', () => {
  const { snapshot } = victorianRates()
  const bodies = exampleBodies(snapshot.specs, 1_000)
  const [vic] = snapshot.specs.filter(({ pricingCode }) => pricingCode === 'AU_VIC')
  expect(bodies).toHaveLength(vic!.examples!.length)
  const priced = bodies.map((body) => quote(JSON.parse(body) as QuoteRequest, snapshot).totals.driveAway)
  expect(priced.filter((cents) => cents > 0).length).toBeGreaterThan(bodies.length / 2)
})

test('the program says that it is ready when it is warm, and counts no request of the warm-up', async () => {
  const lines: { msg: string; quotes?: number }[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _coding, done) => {
      lines.push(JSON.parse(chunk.toString()) as { msg: string })
      done()
    },
  })
  const [pricing, health] = [await freePort(), await freePort()]
  const configuration = configure({
    SERVE: 'pricing',
    HOST: '127.0.0.1',
    PRICING_PORT: String(pricing),
    HEALTH_PORT: String(health),
    RATES_SOURCE: 'directory',
    RATES_DIRECTORY: 'rates/sets/au-act',
  })
  // The federal sets are missing, so the folder is refused: without rates there is nothing to warm with.
  const unloaded = await startApi(configuration, createLog({ name: 'test' }, destination))
  expect(await readiness(health)).toMatchObject({ status: 503, missing: ['rates'] })
  for (const { stop } of unloaded) await stop()
  expect(lines.some(({ msg }) => msg === 'warmed up')).toBe(false)

  const steps = await startApi(
    { ...configuration, ratesDirectory: 'rates/sets' },
    createLog({ name: 'test' }, destination),
  )
  onTestFinished(async () => {
    for (const { stop } of steps) await stop()
  })
  const missing = new Set<string>()
  await waitFor('readiness', async () => {
    const answer = await readiness(health)
    for (const each of answer.missing) missing.add(each)
    return answer.status === 200
  })
  expect(missing).toContain('the end of the warm-up')
  expect(lines.find(({ msg }) => msg === 'warmed up')?.quotes).toBeGreaterThan(100)
  const metrics = await (await fetch(`http://127.0.0.1:${health}/metrics`)).text()
  expect(metrics).not.toMatch(/^driveaway_requests_total\{/m)
})

async function readiness(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`)
  const { pricing } = (await response.json()) as { pricing: { missing: string[] } }
  return { status: response.status, missing: pricing.missing }
}
