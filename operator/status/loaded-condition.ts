import type { ConditionReason } from '#crds/conditions.ts'
import { isBehind, type ApiProcess } from '../api-processes/poller.ts'
import type { Condition, WantedCondition } from './conditions.ts'

export type Content = 'present' | 'earlier' | 'none'

/** What `Loaded` of one generation follows from. */
export interface Loading {
  /** `Loaded` of the status so far, where that is about the same generation and content. */
  before: Condition | undefined
  /** Whether what is published is this generation's content, an earlier one's, or nothing at all. */
  content: Content
  /** Those that ran when it was published. */
  processes: readonly ApiProcess[]
  serves: (process: ApiProcess) => boolean
}

/** `Loaded`: whether all API processes have loaded this generation's content; the message is a count such as `3/3`. */
export function loadedCondition({ before, content, processes, serves }: Loading): WantedCondition {
  // A process that starts later is not ready before it has the current index, so a restart is no news of this object.
  if (before?.status === 'True') return { ...named, ...pick(before) }
  if (content === 'none') return { ...named, status: 'False', reason: 'NotPublished', message: NOTHING }
  if (content === 'earlier')
    return { ...named, status: 'False', reason: 'Held', message: 'an earlier generation is served' }
  if (processes.length === 0) return { ...named, status: 'Unknown', reason: 'NoProcesses', message: '0/0' }
  const count = processes.filter(serves).length
  const message = `${count}/${processes.length}`
  if (count === processes.length) return { ...named, status: 'True', reason: 'Loaded', message }
  // The count as it was when loading began: were it kept up, 100 processes would rewrite every status 100 times.
  return {
    ...named,
    status: 'False',
    reason: 'Loading',
    message: before?.reason === 'Loading' ? before.message : message,
  }
}

const named = { type: 'Loaded' } as const
const NOTHING = 'nothing of this object is published'
// What this operator wrote, or one of a version whose reasons were the same.
const pick = ({ status, reason, message }: Condition) => ({ status, reason: reason as ConditionReason, message })

/** `Reconciling`, until every process has loaded what is new. */
export function reconcilingCondition(loaded: WantedCondition): WantedCondition[] {
  if (loaded.reason !== 'Loading') return []
  const message = `served by ${loaded.message} API processes when loading began`
  return [{ type: 'Reconciling', status: 'True', reason: 'Loading', message }]
}

/** Milliseconds until a status for which it was too early is looked at again, unless an answer comes first. */
export const LOADING_MS = 1000

/**
 * Whether it is too early to write a status: content that was published a moment ago is not loaded yet, and no process is
 * behind. Most content is loaded before one is, and its status is then written once and not twice.
 */
export function isTooEarly(
  desired: readonly Pick<Condition, 'type' | 'reason'>[],
  processes: readonly ApiProcess[],
): boolean {
  return desired.some(({ type, reason }) => type === 'Loaded' && reason === 'Loading') && !processes.some(isBehind)
}
