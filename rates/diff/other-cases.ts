import { briefOf } from './outcomes.ts'
import type { SetStatements } from './spans.ts'
import { listKey, type Statement } from './statements.ts'

/** The remaining cases of a rule when one of its cases ends. */
export interface OtherCases {
  /** Their charge, when it is one figure. */
  charge?: string
}

/**
 * The remaining cases of the rule of a case that ends; undefined when nothing ends, or when the rule ends with the
 * case.
 */
export function otherCases(
  old: Statement | undefined,
  now: Statement | undefined,
  is: SetStatements,
): { otherCases?: OtherCases } {
  if (now || old?.role !== 'condition' || old.kind !== 'rule') return {}
  const charges = [...is.statements.values()].filter((one) => isOfRule(one, old) && isCharge(one))
  const [only, ...more] = charges
  if (!only) return {}
  if (more.length > 0) return { otherCases: {} }
  return { otherCases: { charge: briefOf(only) } }
}

/** The one figure that a case charges, for a change of its condition. */
export function chargeOfCase(
  old: Statement | undefined,
  now: Statement | undefined,
  { statements }: SetStatements,
): { charge?: string } {
  if (!old || now?.role !== 'condition' || now.kind !== 'rule') return {}
  const ofCase = listKey(now)
  const figures = [...statements.values()].filter((one) => isCharge(one) && listKey(one, now.places?.length) === ofCase)
  const [only, ...more] = figures
  return only && more.length === 0 && only.about === 'figure' ? { charge: only.value } : {}
}

const isOfRule = (one: Statement, other: Statement): boolean =>
  one.kind === 'rule' && one.component === other.component && one.places?.[0]?.name === other.places?.[0]?.name

/**
 * Whether a statement is the charge of a case or the reason that nothing is charged; statements about terms and ends of
 * bands are not.
 */
const isCharge = ({ key, about, role, places = [] }: Statement): boolean =>
  places.some(({ list }) => list === 'cases') && ((about === 'figure' && role !== 'edge') || key === 'outcome')
