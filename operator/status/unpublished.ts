/**
 * The status of an object while publications of its kind fail: the object may be valid, but its newest generation is
 * not published.
 */
import type { Condition, WantedCondition } from './conditions.ts'
import { loadedCondition } from './loaded-condition.ts'

export interface FailingPublication {
  /** The error of the last run. */
  message: string
}

interface Observed {
  metadata: { uid: string; generation: number }
  status?: { observedGeneration: number }
}

/**
 * Whether an object waits for a failing publication: no run has judged this generation, and its status does not
 * describe it yet.
 */
export function isUnpublished(
  { metadata, status }: Observed,
  record: { uid: string; generation: number } | undefined,
): boolean {
  const isJudged = record?.uid === metadata.uid && record.generation === metadata.generation
  return !isJudged && status?.observedGeneration !== metadata.generation
}

/** The conditions of a waiting object; its earlier content is still served. Pure. */
export function unpublishedConditions(
  previous: readonly Condition[],
  { message: cause }: FailingPublication,
): WantedCondition[] {
  const isPublished = previous.some(({ type, status }) => type === 'Published' && status === 'True')
  // After a restart of the operator, only the status records a loss.
  const lost = previous.find(({ type, reason }) => type === 'Published' && reason === 'ContentLost')
  const served = isPublished ? 'the earlier content is served' : 'nothing of this object is published'
  const because = { reason: 'PublicationFails' as const, message: `no publication succeeds, and ${served}: ${cause}` }
  const content = isPublished ? 'earlier' : 'none'
  return [
    { type: 'Ready', status: 'False', ...because },
    lost
      ? { type: 'Published', status: 'True', reason: 'ContentLost', message: lost.message }
      : publishedCondition(isPublished, served),
    loadedCondition({ before: undefined, content, processes: [], serves: () => false }),
    { type: 'Reconciling', status: 'True', ...because },
  ]
}

const publishedCondition = (isPublished: boolean, message: string): WantedCondition =>
  isPublished
    ? { type: 'Published', status: 'True', reason: 'LastGood', message }
    : { type: 'Published', status: 'False', reason: 'NotPublished', message }
