import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { committedRates } from '../api/contract/committed-rates.ts'
import { binding, clientsOf, SECRET, startPricingServer, type PricingServer } from '../api/pricing-server.ts'
import { writeEnvironmentFile } from '../../tools/stack/addresses.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

// The page is followed: each of its programs is run as it stands there.
const page = readFileSync('docs/quickstart.md', 'utf8')
const folder = temporaryDirectory('quickstart')
let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer(committedRates())
  server.holder.swap({ clients: clientsOf(binding('dealer', { showroomCodes: ['SYD01'] })) })
})
afterAll(async () => {
  await server?.close()
  folder.remove()
})

const PROGRAMS = {
  bash: { file: 'quote.sh', command: 'bash' },
  ts: { file: 'quote.ts', command: process.execPath },
  python: { file: 'quote.py', command: 'python3' },
}

/** What the program of a language prints, and how many requests it made. */
async function followed(language: keyof typeof PROGRAMS): Promise<{ printed: string; requests: number }> {
  const { file, command } = PROGRAMS[language]
  const text = page.split(`\`\`\`${language}\n`)[1]!.split('\n```')[0]!
  const path = join(folder.path, file)
  writeFileSync(path, text)
  const access = { PRICING_URL: server.url, CLIENT_ID: 'dealer', CLIENT_SECRET: SECRET, SHOWROOM: 'SYD01' }
  const before = await requestsSoFar()
  const { stdout } = await promisify(execFile)(command, [path], { env: { ...process.env, ...access } })
  return { printed: stdout, requests: (await requestsSoFar()) - before }
}

async function requestsSoFar(): Promise<number> {
  const { values } = await server.registry.getSingleMetric('driveaway_requests_total')!.get()
  return values.filter(({ labels }) => labels['status'] === 200).reduce((sum, { value }) => sum + value, 0)
}

for (const language of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
  test(`${language}: five requests lead to a complete quote`, async () => {
    const { printed, requests } = await followed(language)
    expect(requests).toBe(5)
    expect(printed).toMatch(/false/i)
    expect(printed).toContain('/vehicleGeneric/tareKg')
    expect(printed).toMatch(/true/i)
  })
}

test('the three come to the same price', async () => {
  const prices = await Promise.all(
    (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]).map(
      async (language) => /\d{7}/.exec((await followed(language)).printed)?.[0],
    ),
  )
  expect(new Set(prices).size).toBe(1)
  expect(Number(prices[0])).toBeGreaterThan(4_500_000)
})

test('the variables that the page sets from .run/env are those that its examples read', async () => {
  const block = page.split('```sh\n')[1]!.split('\n```')[0]!
  const home = join(folder.path, 'home')
  mkdirSync(join(home, '.run'), { recursive: true })
  const made = { PRICING_URL: 'http://127.0.0.1:8080', DEALER_CLIENT_ID: 'dealer', DEALER_CLIENT_SECRET: SECRET }
  writeEnvironmentFile(join(home, '.run/env'), made)
  const script = `${block}\nenv`
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    cwd: home,
    env: { PATH: process.env['PATH'] },
  })
  for (const line of [
    'PRICING_URL=http://127.0.0.1:8080',
    'CLIENT_ID=dealer',
    `CLIENT_SECRET=${SECRET}`,
    'SHOWROOM=SYD01',
  ])
    expect(stdout.split('\n')).toContain(line)
})

test('ts: a refused token is told in the words of the token endpoint', async () => {
  const path = join(folder.path, 'refused.ts')
  writeFileSync(path, page.split('```ts\n')[1]!.split('\n```')[0]!)
  const access = { PRICING_URL: server.url, CLIENT_ID: 'dealer', CLIENT_SECRET: 'another', SHOWROOM: 'SYD01' }
  const run = promisify(execFile)(process.execPath, [path], { env: { ...process.env, ...access } })
  await expect(run).rejects.toThrow(/401 invalid_client: /)
})
