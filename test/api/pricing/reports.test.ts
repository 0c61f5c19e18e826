import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReports } from '../../../api/pricing/reports/reports.ts'
import { committedRates } from '../contract/committed-rates.ts'
import { bearer, binding, clientsOf, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

// "The first /v1/changes after a load takes 190 ms and delays a quote by as long": what takes long is computed in a thread.
const snapshot = committedRates()
let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer(snapshot)
  server.holder.swap({ clients: clientsOf(binding('dealer')) })
})
afterAll(() => server.close())

const silent = { error: () => undefined }

test.each([
  ['jurisdictions', '/v1/jurisdictions'],
  ['changes', '/v1/changes?from=2026-07-01&to=2026-07-31'],
])('quotes are answered while the report of the %s is computed', async (_what, path) => {
  const headers = bearer(await server.token())
  // Another snapshot, of which no report is known yet.
  server.holder.swap({ rates: { ...server.holder.read().rates!, snapshot: { ...snapshot } } })
  let isOver = false
  const report = server.get(path, headers).then((response) => {
    isOver = true
    return response.status
  })
  let quotes = 0
  while (!isOver) {
    const { status } = await server.post('/v1/quote', suv(), headers)
    if (status === 200 && !isOver) quotes += 1
  }
  expect(await report).toBe(200)
  expect(quotes).toBeGreaterThan(10)
})

test('a report is computed once for a snapshot, however many ask for it', async () => {
  const { reportOf } = createReports({ log: silent })
  expect(reportOf(snapshot)).toBe(reportOf(snapshot))
  expect(await reportOf(snapshot)).toBe(await reportOf(snapshot))
})

const broken = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`)

test.each([
  ['throws', "throw new Error('no')"],
  ['ends early', 'process.exit(0)'],
  ['takes too long', 'setInterval(() => undefined, 1000)'],
])('a thread that %s fails its report, which is told of and tried again after a pause', async (_what, source) => {
  const faults: unknown[] = []
  const log = { error: (fault: unknown) => void faults.push(fault) }
  const { reportOf } = createReports({ log, entry: broken(source), deadlineMs: 2000, pauseMs: 1 })
  const first = reportOf(snapshot)
  await expect(first).rejects.toThrow()
  expect(faults).toMatchObject([{ release: snapshot.release }])
  await new Promise((resolve) => setTimeout(resolve, 50))
  const second = reportOf(snapshot)
  expect(second).not.toBe(first)
  await expect(second).rejects.toThrow()
})

test('a report that fails is no fault of the next snapshot', async () => {
  const { reportOf } = createReports({ log: silent, deadlineMs: 1 })
  const next = { ...snapshot, release: 'sha256:next' }
  await expect(reportOf(snapshot)).rejects.toThrow()
  await expect(reportOf(next)).rejects.toThrow('ended early')
})
