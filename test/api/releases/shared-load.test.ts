import { expect, test } from 'vitest'
import { keptName } from '#rates/release/kept-release.ts'
import { bearer, startPricingServer, suv } from '../pricing-server.ts'
import { victorianRates } from '../victorian-rates.ts'

test('two requests that wait for the same damaged release are refused each at its own field', async () => {
  const release = `sha256:${'ab'.repeat(32)}`
  const inForce = [{ since: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' }]
  const kept = { name: keptName(release), release, inForce, bytes: 6 }
  const damaged = { list: () => [kept], read: async () => Buffer.from('broken'), stop: async () => undefined }
  const server = await startPricingServer(victorianRates().snapshot, undefined, { keptReleases: damaged, keepDays: 400 })
  const headers = bearer(await server.token())
  const asking = suv({ options: { asKnownAt: release } })
  const [batch, one] = await Promise.all([
    server.post('/v1/quote/batch', [suv(), asking], headers),
    server.post('/v1/quote', asking, headers),
  ])
  const pathOf = async (answer: Response) => ((await answer.json()) as { errors: { path: string }[] }).errors[0]?.path
  expect(await Promise.all([batch, one].map(pathOf))).toEqual(['/body/1/options/asKnownAt', '/body/options/asKnownAt'])
  await server.close()
})
