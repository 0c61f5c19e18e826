import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Tally, Task } from './worker.ts'

const WORKER = join(import.meta.dirname, 'worker.ts')
const HOOK = join(import.meta.dirname, '../mutants/hook.ts')

// A simulated cluster makes and drops many small objects: with a larger young generation a fifth less time goes into them.
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64']

/** Runs one worker in a process of its own, with the code as it is or with one mutant of it; rejects when it dies. */
export function runWorker(task: Task, onTally: (tally: Tally) => void, mutant?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const execArgv = [...OPTIONS, ...(mutant === undefined ? [] : ['--import', HOOK])]
    const env = { ...process.env, ...(mutant !== undefined && { MUTANT: mutant }) }
    const worker = fork(WORKER, { execArgv, env, serialization: 'advanced' })
    let isDone = false
    worker.on('message', (tally: Tally) => {
      isDone ||= tally.isDone
      onTally(tally)
    })
    worker.on('error', reject)
    worker.on('exit', (code, signal) => {
      if (isDone) resolve()
      else reject(new Error(`a worker ended early: ${signal ?? code}`))
    })
    worker.send(task)
  })
}
