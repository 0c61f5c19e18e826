import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'

/** A program starts in a second, on a machine that does nothing else. */
const SLOW = { timeoutMs: 40_000 }

let nats: TestNats | undefined
let child: ChildProcess | undefined
afterEach(async () => {
  child?.kill('SIGKILL')
  await nats?.close()
})

/** Starts a program as it is deployed, under this Node, with an environment of its own. */
function start(entry: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [entry], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent', ...env },
    stdio: 'inherit',
  })
}

const statusOf = (url: string) =>
  fetch(url).then(
    (response) => response.status,
    () => 0,
  )

test('the worker is ready with NATS, unready without, and stops cleanly on SIGTERM', async () => {
  nats = await startTestNats()
  const port = await freePort()
  child = start('worker/main.ts', { NATS_URL: nats.url, HEALTH_PORT: String(port) })
  const ready = `http://127.0.0.1:${port}/readyz`
  await waitFor('readiness', async () => (await statusOf(ready)) === 200, SLOW)
  await nats.stop()
  await waitFor('the loss to be said', async () => (await statusOf(ready)) === 503)
  expect(await statusOf(`http://127.0.0.1:${port}/livez`)).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('the inventory port serves its specification to anybody and nothing else, and stops cleanly', async () => {
  nats = await startTestNats()
  const [port, health] = [await freePort(), await freePort()]
  const ports = { INVENTORY_PORT: String(port), HEALTH_PORT: String(health) }
  child = start('api/main.ts', { SERVE: 'inventory', RATES_SOURCE: 'directory', NATS_URL: nats.url, ...ports })
  await waitFor('readiness', async () => (await statusOf(`http://127.0.0.1:${health}/readyz`)) === 200, SLOW)
  const url = `http://127.0.0.1:${port}`
  const document = (await (await fetch(`${url}/spec`)).json()) as { paths: object }
  expect(Object.keys(document.paths)).toEqual(['/batch', '/jobs/{job_id}', '/spec'])
  expect(await statusOf(`${url}/nowhere`)).toBe(401)
  expect((await fetch(`${url}/spec`, { method: 'POST' })).status).toBe(401)
  const loaded = (await (await fetch(`http://127.0.0.1:${health}/loaded`)).json()) as object
  expect(loaded).toMatchObject({ parts: ['clients', 'keys'], release: null, sets: {} })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
