import type { WantedCondition } from './conditions.ts'
import type { ApiProcess } from '../api-processes/poller.ts'

/** `Loaded`: how many of all API processes serve it; the message is `2/3`. */
export function loadedCondition(
  processes: readonly ApiProcess[],
  serves: (process: ApiProcess) => boolean,
): WantedCondition {
  if (processes.length === 0) return { type: 'Loaded', status: 'Unknown', reason: 'NoProcesses', message: '0/0' }
  const count = processes.filter(serves).length
  const message = `${count}/${processes.length}`
  return count === processes.length
    ? { type: 'Loaded', status: 'True', reason: 'Loaded', message }
    : { type: 'Loaded', status: 'False', reason: 'Loading', message }
}

/** `Reconciling`, until every process has served what is new for the first time; a process that starts anew later is not progress. */
export function reconcilingCondition(loaded: WantedCondition, isNew: boolean): WantedCondition[] {
  if (!isNew || loaded.status !== 'False') return []
  return [
    { type: 'Reconciling', status: 'True', reason: 'Loading', message: `served by ${loaded.message} API processes` },
  ]
}
