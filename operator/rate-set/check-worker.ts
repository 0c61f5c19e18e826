import { parentPort } from 'node:worker_threads'
import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import { READY } from './check-thread.ts'
import { firstFaults, rateSetChecks, type Checked } from './checks.ts'

// What runs in the thread of check-thread.ts: it judges the sets that it is sent, one after another.

const checks = rateSetChecks(checkRateSet)

parentPort?.on('message', (checked: Checked) => parentPort?.postMessage(firstFaults(checks, checked)))
parentPort?.postMessage(READY)
