import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import {
  certificateFor,
  jwtOperator,
  secretFolder,
  type JwtOperator,
  type SecretFolder,
} from '../harness/nats-logins.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'

/*
 * The programs as they are deployed, with a login and TLS: what they say of themselves and of NATS. The kinds of logins have tests of
 * their own in test/runtime/nats.
 */
const SLOW = { timeoutMs: 40_000 }

let operator: JwtOperator
let nats: TestNats
let server: SecretFolder
let secret: SecretFolder
let credentials: string
let ca: string
let child: ChildProcess | undefined
let written = ''
beforeAll(async () => {
  operator = await jwtOperator()
  credentials = await operator.credentials()
  const { cert, key } = await certificateFor('nats', '127.0.0.1')
  server = secretFolder({ 'server.crt': cert, 'server.key': key })
  const tls = `tls { cert_file: "${server.path}/server.crt", key_file: "${server.path}/server.key" }`
  nats = await startTestNats({ configuration: `${operator.configuration}\n${tls}` })
  ca = cert
  secret = secretFolder({ 'ca.crt': ca, 'nats.creds': credentials })
})
afterEach(() => void child?.kill('SIGKILL'))
afterAll(async () => {
  await nats.close()
  server.remove()
  secret.remove()
})

async function start(entry: string, env: Record<string, string> = {}) {
  const port = String(await freePort())
  const around = { PATH: process.env['PATH'] ?? '', NATS_URL: nats.url, HEALTH_PORT: port, LOG_LEVEL: 'trace', ...env }
  child = spawn(process.execPath, [entry], { env: around, stdio: ['ignore', 'pipe', 'pipe'] })
  written = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => void (written += String(bytes)))
  return () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => ({ status: 0, text: '' }),
    )
}

const inventory = async () => ({
  ...{ SERVE: 'inventory', RATES_SOURCE: 'directory' },
  INVENTORY_PORT: String(await freePort()),
})

test.each([
  ['the worker', 'worker/main.ts', () => ({})],
  ['the inventory API', 'api/main.ts', inventory],
])('%s reaches NATS with credentials and TLS', async (_, entry, env) => {
  const readyz = await start(entry, { NATS_SECRET_DIRECTORY: secret.path, ...(await env()) })
  await waitFor('readiness', async () => (await readyz()).status === 200, SLOW)
  expect(written).toContain('connected to NATS')
  expect(written).not.toContain(credentials.split('\n')[1])
})

test('the worker says at /readyz and in its log that it has no login, goes on, and is ready when the Secret is there', async () => {
  const late = secretFolder({ 'ca.crt': ca })
  const readyz = await start('worker/main.ts', { NATS_SECRET_DIRECTORY: late.path })
  await waitFor('the reason', async () => (await readyz()).text.includes('requires a login, but none is set'), SLOW)
  late.put({ 'ca.crt': ca, 'nats.creds': credentials })
  await waitFor('readiness', async () => (await readyz()).status === 200, SLOW)
  expect(written).toContain('the server requires a login')
  expect(written).not.toContain(credentials.split('\n')[1])
  late.remove()
})
