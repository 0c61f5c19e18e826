import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The cores of this machine in two halves, as `taskset` names them; throws where there is only one core. */
export function halves(): { first: string; second: string } {
  const cores = availableParallelism()
  if (cores < 2) throw new Error('two cores are needed, one for the servers and one for the programs')
  const half = Math.floor(cores / 2)
  return { first: `0-${half - 1}`, second: `${half}-${cores - 1}` }
}

/** Moves this process to these cores; the processes that it starts from then on stay on them. */
export function moveTo(cores: string): void {
  // Of util-linux: Node has no such call.
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)], { stdio: 'ignore' })
}
