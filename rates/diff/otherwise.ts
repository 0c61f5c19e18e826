import type { Statement } from './statements.ts'
import { isSameData } from './same-data.ts'

/** What of a statement is compared: of an order only the names of the parts. */
export const comparable = (one: Statement | undefined): string | undefined =>
  one?.order?.names.join(' | ') ?? one?.value

/** Whether two sides say otherwise. What each rule has, and where a band ends, goes without saying where the part begins or ends. */
export function isOtherwise(old: Statement | undefined, now: Statement | undefined): boolean {
  const role = (now ?? old)?.role
  if (!old || !now) return role === undefined || role === 'condition'
  if (old.order && now.order) return !isOneOrder(old.order.names, now.order.names)
  return old.value !== now.value
}

/** Whether the parts that both lists have stand in the same order. */
const isOneOrder = (old: readonly string[], now: readonly string[]): boolean =>
  isSameData(kept(old, now), kept(now, old))

const kept = (list: readonly string[], other: readonly string[]) => list.filter((one) => other.includes(one))

/**
 * The same of data. A person reads that a case is new; a program that prices needs to know where each new case stands, because
 * the first case that holds counts.
 */
export function isOtherwiseAsData(old: Statement | undefined, now: Statement | undefined): boolean {
  if (!now?.order) return isOtherwise(old, now)
  const [were, are] = [old?.order?.names ?? [], now.order.names].map((names) => names.filter((one) => one !== LAST))
  return are!.length > 1 && !isSameData(kept(were!, are!), are)
}

/** The name of a case without a condition, which stands last in each list. */
const LAST = 'otherwise'
