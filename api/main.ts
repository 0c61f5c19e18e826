import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { configure } from './configuration.ts'
import { startApi } from './start.ts'

const configuration = configure(process.env)
const log = createLog({ name: 'api', level: configuration.logLevel })
onShutdown(log, await startApi(configuration, log))
