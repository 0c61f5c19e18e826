import type { ConditionReason, ConditionType } from '#crds/conditions.ts'
import type { Condition } from '#crds/status.ts'

export type { Condition }

export type WantedCondition = Pick<Condition, 'status' | 'message'> & {
  type: ConditionType
  reason: ConditionReason
}

/** A metav1.Condition message may have 32,768 bytes; a useful message is far shorter. */
const MESSAGE_LIMIT = 4096

/** Adds transition times to the conditions; a time changes only when the status of the condition changes. */
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

/** Selects the conditions of a new status that become events. */
export type Told = (previous: readonly Condition[] | undefined, next: readonly Condition[]) => Condition[]

/**
 * The transitions that become events. `Ready` is a summary: when it changes, the other conditions would repeat it, so
 * one fault is one event. `Reconciling` and `Stalled` add nothing to `Ready` and `Loaded`.
 */
export const toldTransitions: Told = (previous, next) => {
  const changed = transitions(previous ?? [], next)
  const ready = changed.filter(({ type }) => type === 'Ready')
  // An emergency publication always becomes an event.
  const emergency = changed.filter(({ type }) => type === 'Emergency')
  const others = changed.filter(({ type }) => type === 'Published' || type === 'Loaded')
  return [...(ready.length > 0 ? ready : others), ...emergency]
}

/** The conditions whose status or reason changed, and a false `Ready` whose message changed. */
function transitions(previous: readonly Condition[], next: readonly Condition[]): Condition[] {
  return next.filter((condition) => {
    const before = previous.find((each) => each.type === condition.type)
    const isOther = before?.status !== condition.status || before.reason !== condition.reason
    return (
      isOther || (condition.type === 'Ready' && condition.status === 'False' && before.message !== condition.message)
    )
  })
}
