import { collectDefaultMetrics, Registry } from 'prom-client'
import { startHealth } from '#runtime/health.ts'
import { createLog } from '#runtime/log.ts'
import { followNats } from '#runtime/nats/connection.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { configure } from './configuration.ts'

const { natsUrl, healthHost, healthPort, logLevel } = configure(process.env)
const log = createLog({ name: 'worker', level: logLevel })
const registry = new Registry()
collectDefaultMetrics({ register: registry })
const nats = followNats({ url: natsUrl, name: 'driveaway-worker', log })
const health = await startHealth({ host: healthHost, port: healthPort, registry, ready: () => nats.ready() })
log.info({ port: health.port }, 'health')
onShutdown(log, [
  { name: 'nats', stop: () => nats.stop() },
  { name: 'health', stop: () => health.close() },
])
