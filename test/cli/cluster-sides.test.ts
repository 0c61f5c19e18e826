import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExplorerRates } from '#explorer/served.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { root } from '../../tools/stack/settings.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { driveaway } from './driveaway.ts'

// What `explore` asks of a cluster, and what it says when the cluster gives no rates. The servers here answer one list.
const folder = temporaryDirectory('cluster-sides')
const before = process.env['KUBECONFIG']
const servers: Server[] = []
let asked = 0

const listOf = (isWithdrawn: boolean) =>
  JSON.stringify({
    metadata: {},
    items: [inventedSet('AU'), inventedSet('AU_NSW')].map((spec) => ({
      metadata: { name: rateSetName(spec.pricingCode, spec.financialYear) },
      spec: { ...spec, ...(isWithdrawn && { withdrawn: true }) },
    })),
  })
const answering = (status: number, text: string) =>
  createHttpServer((_, response) => {
    asked += 1
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })

beforeAll(async () => {
  const answers = {
    asked: answering(200, listOf(false)),
    withdrawn: answering(200, listOf(true)),
    expired: answering(401, '{"message":"Unauthorized"}'),
    silent: createServer(),
  }
  const addresses: Record<string, string> = { refusing: 'http://127.0.0.1:1' }
  for (const [name, server] of Object.entries(answers)) {
    servers.push(server as Server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    addresses[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const names = Object.keys(addresses)
  const config = {
    clusters: names.map((name) => ({ name, cluster: { server: addresses[name], 'insecure-skip-tls-verify': true } })),
    users: [{ name: 'somebody', user: { token: 'x' } }],
    contexts: [
      ...names.map((name) => ({ name, context: { cluster: name, user: 'somebody' } })),
      { name: 'userless', context: { cluster: 'asked', user: 'nobody' } },
      { name: 'clusterless', context: { cluster: 'gone', user: 'somebody' } },
    ],
  }
  process.env['KUBECONFIG'] = join(folder.path, 'config')
  writeFileSync(process.env['KUBECONFIG'], stringify(config))
})
afterAll(() => {
  process.env['KUBECONFIG'] = before
  for (const server of servers) server.close()
  folder.remove()
})

const start = (...args: string[]) =>
  spawn(process.execPath, [join(root, 'cli/driveaway.js'), 'explore', ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

test('a cluster beside a folder is asked once, also when the files of the folder have been checked', async () => {
  asked = 0
  const explorer = start('rates/sets', '--against', 'context:asked')
  try {
    const [line] = (await once(explorer.stdout, 'data')) as [Buffer]
    const url = /^http:\S+/.exec(line.toString())![0]
    const rates = async () => (await (await fetch(`${url}rates.json`)).json()) as ExplorerRates
    await waitFor('the checks', async () => (await rates()).unchecked === undefined, { timeoutMs: 60_000 })
    expect((await rates()).old?.sets.length).toBe(2)
    expect(asked).toBe(1)
  } finally {
    explorer.kill()
  }
}, 90_000)

test.each([
  ['context:silent', 'context:nowhere'],
  ['context:nowhere', 'context:silent'],
])('%s against %s ends as soon as one of them is known to be wrong', async (side, old) => {
  const startedAt = performance.now()
  const explorer = start(side, '--against', old)
  const [code] = (await once(explorer, 'exit')) as [number]
  expect(code).toBe(2)
  // The silent server is given 15 seconds.
  expect(performance.now() - startedAt).toBeLessThan(12_000)
})

test.each([
  ['refusing', 3, /^context refusing \(http:\/\/127\.0\.0\.1:1\): connect ECONNREFUSED/],
  ['expired', 3, /^context expired \(http:.*\): GET .*: 401 Unauthorized; log in again/],
  ['userless', 2, /KUBECONFIG has no user nobody, which its context userless names/],
  ['clusterless', 2, /KUBECONFIG has no cluster gone, which its context clusterless names/],
  ['withdrawn', 1, /^context:withdrawn has no rate set that is in force/],
] as const)('the context %s: exit code %i and %s', async (context, status, said) => {
  expect(await driveaway(['explore', `context:${context}`, '--port', '0'])).toMatchObject({
    status,
    stderr: expect.stringMatching(said) as string,
  })
})

test('what needs no cluster is told before one is asked', async () => {
  asked = 0
  const nowhere = await driveaway(['explore', 'nowhere', '--against', 'context:asked', '--port', '0'])
  expect([nowhere.status, nowhere.stderr]).toEqual([2, expect.stringContaining('there is no nowhere')])
  const bundle = join(folder.path, 'rates.bundle')
  writeFileSync(bundle, 'x')
  const keyless = await driveaway(['explore', 'context:asked', '--against', bundle, '--port', '0'])
  expect([keyless.status, keyless.stderr]).toEqual([2, expect.stringContaining('--keys FILE')])
  expect(asked).toBe(0)
})
