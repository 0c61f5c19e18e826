import { connect, type NatsConnection } from '@nats-io/transport-node'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverMetrics } from '../../nats-exporter/server-metrics.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { freePort } from '../harness/free-port.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { STORAGE } from '../inventory/opened-store.ts'

// What Prometheus reads of a real nats-server.
let nats: TestNats
let connection: NatsConnection
let served: ReturnType<typeof serverMetrics>
beforeAll(async () => {
  nats = await startTestNats()
  connection = await connect({ servers: nats.url })
  served = serverMetrics(new Registry(), nats.monitoringUrl)
})
afterAll(async () => {
  await connection.close()
  await nats.close()
})

/** The value of each metric, by its name without `driveaway_nats_`. */
async function shown(): Promise<Record<string, number>> {
  const lines = (await served.metrics()).matchAll(/^driveaway_nats_(\w+) (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]))
}

test('what a server says of itself is shown, and counted from when it started', async () => {
  expect(await shown()).toMatchObject({ healthy: 1, connections: 1, routes: 0, slow_consumers_total: 0 })
  const before = await shown()
  await ensureStorage(connection, STORAGE)
  for (let index = 0; index < 10; index++) connection.publish('anything', 'ten bytes.')
  await connection.flush()
  const after = await shown()
  expect(after['received_messages_total']! - before['received_messages_total']!).toBeGreaterThanOrEqual(10)
  expect(after['received_bytes_total']! - before['received_bytes_total']!).toBeGreaterThanOrEqual(100)
  expect(after['jetstream_requests_total']).toBeGreaterThan(before['jetstream_requests_total']!)
  expect(after['memory_bytes']).toBeGreaterThan(1_000_000)
})

test('of a server that does not answer nothing is shown but that it is not healthy', async () => {
  const text = await serverMetrics(new Registry(), `http://127.0.0.1:${await freePort()}`).metrics()
  expect(text).toMatch(/^driveaway_nats_healthy 0$/m)
  expect(text).toMatch(/^driveaway_nats_connections Nan$/m)
})
