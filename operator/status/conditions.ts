import type { ConditionReason, ConditionType } from '#crds/conditions.ts'
import type { Condition } from '#crds/status.ts'

export type { Condition }

export type WantedCondition = Pick<Condition, 'status' | 'message'> & {
  type: ConditionType
  reason: ConditionReason
}

/** A metav1.Condition message holds at most 32,768 bytes; what a person reads is far shorter. */
const MESSAGE_LIMIT = 4096

/** The wanted conditions with transition times that move only when the status of a condition changes. */
export function stampConditions(
  previous: readonly Condition[],
  desired: readonly WantedCondition[],
  observed: { generation: number; now: string },
): Condition[] {
  return desired.map((condition) => {
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

/** What people are told of a new status. */
export type Told = (previous: readonly Condition[] | undefined, next: readonly Condition[]) => Condition[]

/**
 * The transitions worth an event. `Ready` sums up: where it changes, the other conditions say the same thing again, and
 * one fault is one event. `Reconciling` and `Stalled` never say more than `Ready` or `Loaded`.
 */
export const toldTransitions: Told = (previous, next) => {
  const changed = transitions(previous ?? [], next)
  const ready = changed.filter(({ type }) => type === 'Ready')
  // What is published without staging is told of whatever else has changed.
  const emergency = changed.filter(({ type }) => type === 'Emergency')
  const others = changed.filter(({ type }) => type === 'Published' || type === 'Loaded')
  return [...(ready.length > 0 ? ready : others), ...emergency]
}

/** The conditions whose status or reason is another than before, and `Ready` where it names another fault. */
function transitions(previous: readonly Condition[], next: readonly Condition[]): Condition[] {
  return next.filter((condition) => {
    const before = previous.find((each) => each.type === condition.type)
    const isOther = before?.status !== condition.status || before.reason !== condition.reason
    return (
      isOther || (condition.type === 'Ready' && condition.status === 'False' && before.message !== condition.message)
    )
  })
}
