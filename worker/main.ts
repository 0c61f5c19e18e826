import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { configure } from './configuration.ts'
import { startModeration } from './moderation/start-moderation.ts'
import { startWorker } from './start.ts'

/** For the connections to close after the work has ended. */
const CLOSING_MS = 8_000

const configuration = configure(process.env)
const log = createLog({ name: 'worker', level: configuration.logLevel })
const moderation = await startModeration(configuration)
const steps = await startWorker(configuration, moderation, log)
steps.push({ name: 'moderation', stop: () => moderation.close() })
onShutdown(log, steps, { deadlineMs: configuration.graceSeconds * 1000 + CLOSING_MS })
