import { parentPort } from 'node:worker_threads'
import type { Checked } from '../../../operator/rate-set/checks.ts'

// Stands in for the checks: what it does with a set is said by the set's time zone.

const deeds: Record<string, () => void> = {
  'Runs/for_ever': () => {
    for (;;);
  },
  'Takes/all': () => {
    const kept: object[] = []
    for (;;) kept.push({ kept: [...kept.slice(-3)], text: `one more ${kept.length}` })
  },
  'Throws/at_once': () => {
    throw new Error('thrown on purpose')
  },
  'Leaves/at_once': () => process.exit(7),
}

parentPort?.on('message', ({ spec }: Checked) => {
  deeds[spec.timeZone]?.()
  parentPort?.postMessage([{ check: 'judged', path: '', message: spec.timeZone }])
})
parentPort?.postMessage('ready')
