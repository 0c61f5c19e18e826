import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInventoryServer } from '../inventory-server.ts'
import type { HttpServer } from '../../../api/http/serve.ts'
import { startPricingServer, type PricingServer } from '../pricing-server.ts'

let pricing: PricingServer
let inventory: HttpServer
beforeAll(async () => {
  pricing = await startPricingServer()
  inventory = await startInventoryServer(pricing.holder)
})
afterAll(() => Promise.all([pricing.close(), inventory.close()]))

test('GET / of each API says, to anybody, where the specification, the reference and the guide are', async () => {
  for (const { url } of [pricing, inventory]) {
    const entry = (await (await fetch(`${url}/`)).json()) as Record<string, string>
    expect(entry).toEqual({
      service: expect.stringMatching(/^Driveaway /),
      specification: '/spec',
      reference: '/docs',
      guide: '/docs/guide',
    })
    for (const path of [entry['specification'], entry['reference'], entry['guide']]) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
    }
  }
})

test('the guide is text that a person can read, and names the token endpoint and the first quote', async () => {
  const response = await fetch(`${pricing.url}/docs/guide`)
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await response.text()).toMatch(/\/oauth\/token[\s\S]*\/v1\/quote/)
})
