import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { rateSet } from '../stack/rate-sets.ts'
import { helmTestIn } from './helm-test.ts'
import { helm, kubectl, platesOf, secretOf } from './release.ts'

const staging = inject('staging')
const production = inject('production')

test.each([staging, production])('every pod of $name is ready under the restricted profile', async (release) => {
  const enforced = [
    'get',
    'namespace',
    release.name,
    '-o',
    'jsonpath={.metadata.labels.pod-security\\.kubernetes\\.io/enforce}',
  ]
  expect(await kubectl(release, enforced)).toBe('restricted')
  const text = await kubectl(release, ['get', 'pods', '-o', 'json'])
  const { items } = JSON.parse(text) as { items: { status: { conditions: { type: string; status: string }[] } }[] }
  const ready = items.map(({ status }) => status.conditions.find(({ type }) => type === 'Ready')?.status)
  expect(new Set(ready)).toEqual(new Set(['True']))
})

test('helm test is green, with a quote of a client', async () => {
  const secret = await secretOf(staging, 'dealer')
  const literals = ['--from-literal=clientId=dealer', `--from-literal=clientSecret=${secret}`]
  await kubectl(staging, ['create', 'secret', 'generic', 'test-client', ...literals])
  await helm(staging, [
    'upgrade',
    'staging',
    'charts/driveaway',
    '--reuse-values',
    '--set',
    'tests.clientSecretName=test-client',
  ])
  // The line of the page, for this release.
  const page = readFileSync(join(import.meta.dirname, '../../docs/installing.md'), 'utf8')
  const [, ...asWritten] = helmTestIn(page).replace('production-apac -n driveaway', staging.name).split(' ')
  const said = await helm(staging, [...asWritten, '--timeout', '120s'])
  expect(said).toContain('ok   a quote is priced')
})

test('the image has the page of the rate explorer, and the rates are for clients only', async () => {
  const answers = await Promise.all(
    ['/explore/', '/explore/main.js', '/explore/rates.json'].map((path) => fetch(`${staging.pricingUrl}${path}`)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401])
  expect((await answers[1]!.text()).length).toBeGreaterThan(100_000)
})

test('quotes differ where the rate sets of the two releases differ', async () => {
  expect(await platesOf(staging)).toBe(4420)
  await kubectl(
    staging,
    ['apply', '--server-side', '--force-conflicts', '-f', '-'],
    rateSet('au-vic/fy27.yaml', [/44\.20/g, '45.20']),
  )
  await waitFor('the new figure in staging', async () => (await platesOf(staging)) === 4520, { timeoutMs: 30_000 })
  expect(await platesOf(production)).toBe(4420)
  await kubectl(staging, ['apply', '--server-side', '--force-conflicts', '-f', '-'], rateSet('au-vic/fy27.yaml'))
  await waitFor('the old figure in staging', async () => (await platesOf(staging)) === 4420, { timeoutMs: 30_000 })
})
