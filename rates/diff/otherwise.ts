import type { Statement } from './statements.ts'
import { isSameData } from './same-data.ts'

/** The part of a statement that is compared; for an order, only the names of the parts. */
export const comparable = (one: Statement | undefined): string | undefined =>
  one?.order?.names.join(' | ') ?? one?.value

/**
 * Whether two statements differ. Attributes that every rule has, and ends of bands, are not reported when the part
 * itself begins or ends.
 */
export function isOtherwise(old: Statement | undefined, now: Statement | undefined): boolean {
  const role = (now ?? old)?.role
  if (!old || !now) return role === undefined || role === 'condition'
  if (old.order && now.order) return !isOneOrder(old.order.names, now.order.names)
  return old.value !== now.value
}

/** Whether the parts that both lists have are in the same order. */
const isOneOrder = (old: readonly string[], now: readonly string[]): boolean =>
  isSameData(kept(old, now), kept(now, old))

const kept = (list: readonly string[], other: readonly string[]) => list.filter((one) => other.includes(one))

/**
 * The same for data. A person reads that a case is new; a program that prices must know the position of each new case,
 * because the first case that holds applies.
 */
export function isOtherwiseAsData(old: Statement | undefined, now: Statement | undefined): boolean {
  if (!now?.order) return isOtherwise(old, now)
  const [were, are] = [old?.order?.names ?? [], now.order.names].map((names) => names.filter((one) => one !== LAST))
  return are!.length > 1 && !isSameData(kept(were!, are!), are)
}

/** The name of a case without a condition, which is last in each list. */
const LAST = 'otherwise'
