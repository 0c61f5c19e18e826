import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { configure } from './configuration.ts'
import { startApi } from './start.ts'

const configuration = configure(process.env)
const log = createLog({ name: 'api', level: configuration.logLevel })
// The drain, and the same time again for requests in flight and for NATS.
const deadlineMs = 10_000 + configuration.drainSeconds * 1000
onShutdown(log, await startApi(configuration, log), { deadlineMs })
