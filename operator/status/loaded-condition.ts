import type { ConditionReason } from '#crds/conditions.ts'
import { isBehind, type ApiProcess } from '../api-processes/poller.ts'
import type { Condition, WantedCondition } from './conditions.ts'

export type Content = 'present' | 'earlier' | 'none'

/** What the `Loaded` condition of one generation depends on. */
export interface Loading {
  /** The previous `Loaded` condition, if it is about the same generation and content. */
  before: Condition | undefined
  /** Whether the published content is this generation's, an earlier one's, or absent. */
  content: Content
  /** The API processes that ran when the content was published. */
  processes: readonly ApiProcess[]
  serves: (process: ApiProcess) => boolean
}

/**
 * The `Loaded` condition: whether all API processes have loaded this generation's content. Its message is a count such
 * as `3/3`.
 */
export function loadedCondition({ before, content, processes, serves }: Loading): WantedCondition {
  // A process that starts later is ready only once it has loaded the current index, so a restart does not change
  // `Loaded`.
  if (before?.status === 'True') return { ...named, ...pick(before) }
  if (content === 'none') return { ...named, status: 'False', reason: 'NotPublished', message: NOTHING }
  if (content === 'earlier')
    return { ...named, status: 'False', reason: 'Held', message: 'an earlier generation is served' }
  if (processes.length === 0) return { ...named, status: 'Unknown', reason: 'NoProcesses', message: '0/0' }
  const count = processes.filter(serves).length
  const message = `${count}/${processes.length}`
  if (count === processes.length) return { ...named, status: 'True', reason: 'Loaded', message }
  // The count when loading began: with a live count, 100 processes would cause 100 writes of every status.
  return {
    ...named,
    status: 'False',
    reason: 'Loading',
    message: before?.reason === 'Loading' ? before.message : message,
  }
}

const named = { type: 'Loaded' } as const
const NOTHING = 'nothing of this object is published'
// The condition as stored; a reason unknown to this version is kept.
const pick = ({ status, reason, message }: Condition) => ({ status, reason: reason as ConditionReason, message })

/** The `Reconciling` condition, present until every process has loaded new content. */
export function reconcilingCondition(loaded: WantedCondition): WantedCondition[] {
  if (loaded.reason !== 'Loading') return []
  const message = `served by ${loaded.message} API processes when loading began`
  return [{ type: 'Reconciling', status: 'True', reason: 'Loading', message }]
}

/** Milliseconds until a postponed status is checked again, unless a process answers earlier. */
export const LOADING_MS = 1000

/**
 * Whether to postpone a status: the content was published a moment ago, and no process is late in loading it. Most
 * content is loaded soon after, so its status is then written once instead of twice.
 */
export function isTooEarly(
  desired: readonly Pick<Condition, 'type' | 'reason'>[],
  processes: readonly ApiProcess[],
): boolean {
  return desired.some(({ type, reason }) => type === 'Loaded' && reason === 'Loading') && !processes.some(isBehind)
}
