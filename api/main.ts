import { setFlagsFromString } from 'node:v8'
import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { configure } from './configuration.ts'
import { startApi } from './start.ts'

const configuration = configure(process.env)
// V8 would mark the whole heap again once it has grown by a tenth, and bytes of bodies count as growth: it did so for each
// sixteen uploads of 200 KB, which took a third of the processor time of an upload here. Near its limit V8 lets the heap
// grow less, with this setting as without. It costs about 50 MB, so not where nothing is uploaded.
if (configuration.serve !== 'pricing') setFlagsFromString('--heap-growing-percent=100')
const log = createLog({ name: 'api', level: configuration.logLevel })
// The drain, and the same time again for requests in flight and for NATS.
const deadlineMs = 10_000 + configuration.drainSeconds * 1000
onShutdown(log, await startApi(configuration, log), { deadlineMs })
