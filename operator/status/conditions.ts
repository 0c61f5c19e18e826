import type { Condition } from '#crds/status.ts'

export type { Condition }

export type WantedCondition = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>

/** A metav1.Condition message holds at most 32,768 bytes; what a person reads is far shorter. */
const MESSAGE_LIMIT = 4096

/** The wanted conditions with transition times that move only when the status of a condition changes. */
export function stampConditions(
  previous: readonly Condition[],
  wanted: readonly WantedCondition[],
  observed: { generation: number; now: string },
): Condition[] {
  return wanted.map((condition) => {
    const before = previous.find((each) => each.type === condition.type)
    const unchanged = before?.status === condition.status
    return {
      ...condition,
      message: condition.message.slice(0, MESSAGE_LIMIT),
      observedGeneration: observed.generation,
      lastTransitionTime: unchanged ? before.lastTransitionTime : observed.now,
    }
  })
}

/** The conditions whose status or reason is another than before; those that are no longer there are not listed. */
export function transitions(previous: readonly Condition[], next: readonly Condition[]): Condition[] {
  return next.filter((condition) => {
    const before = previous.find((each) => each.type === condition.type)
    return before?.status !== condition.status || before.reason !== condition.reason
  })
}
