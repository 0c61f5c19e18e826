import { Counter, Gauge, type Registry } from 'prom-client'

/** The fields of nats-server's `/varz` that are exported. */
interface Varz {
  connections: number
  routes: number
  mem: number
  slow_consumers: number
  in_msgs: number
  out_msgs: number
  in_bytes: number
  out_bytes: number
  jetstream?: { stats?: { storage: number; api: { total: number; errors: number } } }
}

type Read = (varz: Varz) => number | undefined

const GAUGES: Record<string, [help: string, read: Read]> = {
  connections: ['Clients that are connected.', ({ connections }) => connections],
  routes: ['Connections to the other servers of the cluster.', ({ routes }) => routes],
  memory_bytes: ['Memory of the server.', ({ mem }) => mem],
  jetstream_stored_bytes: [
    'What JetStream keeps on the disk of the server.',
    ({ jetstream }) => jetstream?.stats?.storage,
  ],
}

const COUNTERS: Record<string, [help: string, read: Read]> = {
  slow_consumers_total: ['Clients that were cut because they read too slowly.', ({ slow_consumers }) => slow_consumers],
  received_messages_total: ['Messages that the server received.', ({ in_msgs }) => in_msgs],
  sent_messages_total: ['Messages that the server sent.', ({ out_msgs }) => out_msgs],
  received_bytes_total: ['Bytes that the server received.', ({ in_bytes }) => in_bytes],
  sent_bytes_total: ['Bytes that the server sent.', ({ out_bytes }) => out_bytes],
  jetstream_requests_total: ['Requests of the API of JetStream.', ({ jetstream }) => jetstream?.stats?.api.total],
  jetstream_errors_total: ['Those of them that failed.', ({ jetstream }) => jetstream?.stats?.api.errors],
}

/** Milliseconds within which a server on the same host must answer. */
const ANSWER_MS = 2_000

/**
 * Metrics from a nats-server's monitoring port, `url`, which is read at each scrape. A server that does not answer is
 * reported as not healthy, without any other metric.
 */
export function serverMetrics(registry: Registry, url: string): Pick<Registry, 'metrics' | 'contentType'> {
  const registers = [registry]
  const gauges = Object.entries(GAUGES).map(([name, [help, read]]) => {
    const gauge = new Gauge({ name: `driveaway_nats_${name}`, help, registers })
    return { read, reset: () => gauge.set(NaN), set: (value: number) => gauge.set(value) }
  })
  const counters = Object.entries(COUNTERS).map(([name, [help, read]]) => {
    const counter = new Counter({ name: `driveaway_nats_${name}`, help, registers })
    return { read, reset: () => counter.reset(), set: (value: number) => counter.inc(value) }
  })
  const healthy = new Gauge({
    name: 'driveaway_nats_healthy',
    help: 'Whether the server says that it and its JetStream are healthy.',
    registers,
  })
  const refresh = async () => {
    const [varz, isHealthy] = await Promise.all([varzOf(url), isHealthyAt(url)])
    healthy.set(varz && isHealthy ? 1 : 0)
    for (const { read, reset, set } of [...gauges, ...counters]) {
      reset()
      const value = varz && read(varz)
      if (value !== undefined) set(value)
    }
  }
  return { contentType: registry.contentType, metrics: () => refresh().then(() => registry.metrics()) }
}

async function varzOf(url: string): Promise<Varz | undefined> {
  try {
    const response = await fetch(`${url}/varz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return response.ok ? ((await response.json()) as Varz) : undefined
  } catch {
    return undefined
  }
}

const isHealthyAt = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
