import { briefOf } from './outcomes.ts'
import type { Said } from './spans.ts'
import type { Statement } from './statements.ts'

/** What the other cases of a rule say where one of its cases ends. */
export interface OtherCases {
  /** What they charge, where it is one figure. */
  charge?: string
}

/** What the rule of a case that is no longer said goes on to say; undefined where nothing ends, or the rule ends with the case. */
export function otherCases(
  old: Statement | undefined,
  now: Statement | undefined,
  is: Said,
): { otherCases?: OtherCases } {
  if (now || old?.role !== 'condition' || old.kind !== 'rule') return {}
  const charges = [...is.statements.values()].filter((one) => isOfRule(one, old) && isCharge(one))
  const [only, ...more] = charges
  if (!only) return {}
  if (more.length > 0) return { otherCases: {} }
  return { otherCases: { charge: briefOf(only) } }
}

const isOfRule = (one: Statement, other: Statement): boolean =>
  one.kind === 'rule' && one.component === other.component && one.places?.[0]?.name === other.places?.[0]?.name

/** What is charged in a case, or why nothing is; not for which terms, nor where a band ends. */
const isCharge = ({ key, about, role, places = [] }: Statement): boolean =>
  places.some(({ list }) => list === 'cases') && ((about === 'figure' && role !== 'edge') || key === 'outcome')
