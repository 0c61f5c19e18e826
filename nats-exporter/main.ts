import { Registry } from 'prom-client'
import { showBuild } from '#runtime/build-info.ts'
import { port, readConfiguration, text } from '#runtime/configuration.ts'
import { startHealth } from '#runtime/health.ts'
import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { serverMetrics } from './server-metrics.ts'

// Runs beside a nats-server, whose monitoring port does not support Prometheus.
const { healthHost, healthPort, monitoringUrl, logLevel } = readConfiguration<{
  healthHost: string
  healthPort: number
  monitoringUrl: string
  logLevel: string
}>(process.env, {
  healthHost: text({ env: 'HEALTH_HOST', default: '127.0.0.1' }),
  healthPort: port({ env: 'HEALTH_PORT', default: 8090 }),
  monitoringUrl: text({ env: 'NATS_MONITORING_URL', default: 'http://127.0.0.1:8222' }),
  logLevel: text({ env: 'LOG_LEVEL', default: 'info' }),
})
const log = createLog({ name: 'nats-exporter', level: logLevel })
const registry = new Registry()
showBuild(registry, 'nats')
const ready = () => ({ ok: true, body: { ready: true } })
const health = await startHealth({
  host: healthHost,
  port: healthPort,
  registry: serverMetrics(registry, monitoringUrl),
  ready,
})
log.info({ port: health.port, server: monitoringUrl }, 'health')
onShutdown(log, [{ name: 'health', stop: () => health.close() }], { deadlineMs: 5_000 })
