/**
 * What the status of an object says while no publication of its kind succeeds: the object may be as it should be, and its
 * newest generation is published all the same by nobody.
 */
import type { Condition, WantedCondition } from './conditions.ts'
import { loadedCondition } from './loaded-condition.ts'

export interface FailingPublication {
  /** What the last run failed with. */
  message: string
}

interface Observed {
  metadata: { uid: string; generation: number }
  status?: { observedGeneration: number }
}

/** Whether an object waits for a publication that fails: no run judged this generation, and no status speaks of it yet. */
export function isUnpublished(
  { metadata, status }: Observed,
  record: { uid: string; generation: number } | undefined,
): boolean {
  const isJudged = record?.uid === metadata.uid && record.generation === metadata.generation
  return !isJudged && status?.observedGeneration !== metadata.generation
}

/** The conditions of an object that waits; pure. What was published of it before is served on. */
export function unpublishedConditions(
  previous: readonly Condition[],
  { message: cause }: FailingPublication,
): WantedCondition[] {
  const isPublished = previous.some(({ type, status }) => type === 'Published' && status === 'True')
  // A loss is known from the status alone, should the operator start anew.
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
