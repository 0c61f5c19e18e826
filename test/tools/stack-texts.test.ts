import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addresses, writeEnvironmentFile } from '../../tools/stack/addresses.ts'
import { pricingVariables, programs } from '../../tools/stack/programs.ts'
import { readPorts } from '../../tools/stack/settings.ts'
import { dollars, showQuote } from '../../tools/stack/show-quote.ts'
import { waitFor } from '../harness/wait-for.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

test.each([
  [0, '$0.00'],
  [5, '$0.05'],
  [-2000, '-$20.00'],
  [123456, '$1,234.56'],
  [100000000000, '$1,000,000,000.00'],
])('%i cents are %s', (cents, text) => {
  expect(dollars(cents)).toBe(text)
})

test('a quote is shown with the rule and the source of each charge, and with its warnings', () => {
  const duty = { description: 'Motor vehicle duty', value: 264_600, ruleId: 'AU_VIC_STAMP_DUTY_FY27' }
  const source = (authority: string, official: boolean) => ({
    label: 'L',
    url: 'https://a.example',
    authority,
    official,
  })
  const officialSources = [source('A newspaper', false), source('An act', true), source('State Revenue Office', true)]
  const shown = showQuote({
    quote: {
      categories: { dutiable: [{ description: 'Vehicle', value: 6_299_000 }], onRoad: [duty], additional: [] },
      totals: { dutiable: 6_299_000, onRoad: 264_600, additional: 0, driveAway: 6_563_600 },
      metadata: { warnings: ['CTP is an estimate.'], financialYear: '2026-2027' },
    },
    rules: [{ id: duty.ruleId, name: 'Duty', verification: { officialSources } }],
  })
  expect(shown).toMatch(
    /Motor vehicle duty +\$2,646\.00 {2}AU_VIC_STAMP_DUTY_FY27\n +An act: .*\n +State Rev.*\n +and 1 more\n/,
  )
  expect(shown).toMatch(/Drive-away price +\$65,636\.00 {2}rates of 2026-2027/)
  expect(shown).toContain('note: CTP is an estimate.')
  expect(shown).not.toContain('Additional')
})

test('a shell that sources the environment file has the values as they are, and nobody else may read it', () => {
  const folder = temporaryDirectory('environment')
  const path = join(folder.path, 'env')
  const values = addresses({ pricing: 1, inventory: 2, health: 3 }, `/a b/it's/kubeconfig`, 'nats://127.0.0.1:4')
  writeEnvironmentFile(path, { ...values, DEALER_CLIENT_SECRET: 'a$b`c"' })
  const shown = execFileSync('/bin/sh', ['-c', `. "${path}"; env`], { encoding: 'utf8' })
  expect(shown).toContain(`KUBECONFIG=/a b/it's/kubeconfig\n`)
  expect(shown).toContain('DEALER_CLIENT_SECRET=a$b`c"\n')
  expect(shown).toContain('TOKEN_URL=http://127.0.0.1:1/oauth/token\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  folder.remove()
})

test('only the inventory API and the worker are told where NATS is, only pricing has the release key, and each program has its own identity', () => {
  const list = programs({
    ports: readPorts({}),
    healthPorts: { operator: 1, inventory: 2, worker: 3 },
    kubeconfigs: { operator: '/operator', api: '/api', inventory: '/inventory' },
    natsUrl: 'nats://127.0.0.1:4',
    logLevel: 'info',
    releaseKeyFile: '/key',
  })
  expect(list.filter(({ env }) => env['RELEASE_KEY_FILE']).map(({ name }) => name)).toEqual(['pricing'])
  expect(list.filter(({ env }) => env['NATS_URL']).map(({ name }) => name)).toEqual(['inventory', 'worker'])
  expect(list.map(({ env }) => env['KUBECONFIG'])).toEqual(['/operator', '/api', '/inventory', undefined])
  expect(new Set(list.map(({ healthPort }) => healthPort)).size).toBe(4)
})

test('what the user sets for the records of quotes reaches pricing alone, and NATS with a decision log in a subject', () => {
  const surroundings = {
    ...{ ports: readPorts({}), healthPorts: { operator: 1, inventory: 2, worker: 3 } },
    ...{ kubeconfigs: { operator: '/operator', api: '/api', inventory: '/inventory' }, logLevel: 'info' },
    ...{ natsUrl: 'nats://127.0.0.1:4', releaseKeyFile: '/key' },
  }
  const set = Object.fromEntries(pricingVariables.map((name) => [name, '1']))
  const told = (settings: Record<string, string>) =>
    programs({ ...surroundings, pricingSettings: { ...set, ...settings } })
  for (const name of pricingVariables)
    expect(told({}).flatMap((each) => (each.env[name] ? [each.name] : []))).toEqual(['pricing'])
  expect(pricingVariables).toEqual(expect.arrayContaining(['RELEASE_KEYS_FILE', 'RELEASES_ARCHIVE', 'DECISION_LOG']))
  const natsOf = (DECISION_LOG: string) =>
    told({ DECISION_LOG }).find(({ name }) => name === 'pricing')?.env['NATS_URL']
  expect([natsOf('file:decisions'), natsOf('nats:decisions')]).toEqual([undefined, 'nats://127.0.0.1:4'])
})

test('waiting in vain says for what, how long and what the last try met', async () => {
  const failing = () => Promise.reject(new Error('refused'))
  await expect(waitFor('a quote', failing, { timeoutMs: 60, everyMs: 10 })).rejects.toThrow(
    'Waited 60 ms in vain for a quote: refused',
  )
})
