import { inPlaceOf } from './corresponding-statement.ts'
import { inOtherZone } from './former-zone.ts'
import type { SetStatements } from './spans.ts'
import { listKey, type Statement } from './statements.ts'

/*
 * A case charges, or its outcome says why it does not. When a case charges on one side of a comparison only, the
 * outcome of the other side takes the place of each amount, because an amount that ends and an outcome that begins read
 * as two changes.
 */

/** A key of a statement that at least one side of the comparison has. */
export interface Topic {
  key: string
  one: Statement
  /** The side that has the statement. */
  of: SetStatements
}

/** The statement of a set on a topic, or that of the case or zone which covers the topic there. */
export const readAsData = (said: SetStatements, { key, one, of }: Topic): Statement | undefined =>
  said.statements.get(key) ?? inPlaceOf(one, of, said) ?? inOtherZone(one, of, said)

/** The same; for an amount in a case that charges nothing, the reason that nothing is charged. */
export function readIn(said: SetStatements, topic: Topic): Statement | undefined {
  const { one } = topic
  const found = readAsData(said, topic)
  const ofCase = found || !isAmount(one) ? undefined : caseKey(one)
  const outcome = ofCase === undefined ? undefined : outcomeOf(said, ofCase)
  return outcome ? standIn(one, outcome) : found
}

/** The words of an outcome, in place of an amount. */
function standIn({ figure: _, official: __, line: ___, told, ...one }: Statement, outcome: Statement): Statement {
  const { sources, official } = outcome
  const label = told?.label ?? one.label
  return { ...one, label, value: briefOf(outcome), sources, ...(official !== undefined && { official }) }
}

/** Whether the amounts of a case already show what a statement says: that the case begins or stops charging. */
export function isToldByAmounts(one: Statement, was: SetStatements, is: SetStatements): boolean {
  const ofCase = one.about === 'evidence' || one.role !== undefined || isAmount(one) ? undefined : caseKey(one)
  if (ofCase === undefined) return false
  const isBetween = (from: SetStatements, to: SetStatements) =>
    outcomeOf(from, ofCase) !== undefined && chargedCases(to).has(ofCase)
  return isBetween(was, is) || isBetween(is, was)
}

/**
 * The short form of an outcome in place of an amount: `no charge`, `refused`, `not priced (why)`; for a figure, the
 * figure.
 */
export const briefOf = ({ brief, value }: Pick<Statement, 'brief' | 'value'>): string => brief ?? value

const outcomeOf = ({ statements }: SetStatements, ofCase: string): Statement | undefined =>
  statements.get(`${ofCase}/outcome`)

/** The key of the case in which a statement is, within its rule. */
function caseKey(one: Statement): string | undefined {
  const depth = (one.places ?? []).findIndex(({ list }) => list === 'cases') + 1
  return one.kind !== 'rule' || depth === 0 ? undefined : listKey(one, depth)
}

/** Statements that limit an amount. */
export const LIMITS: ReadonlySet<string> = new Set(['round', 'less', 'atLeast', 'atMost'])

const isAmount = ({ key, about, role }: Statement): boolean =>
  about === 'figure' && role === undefined && !LIMITS.has(key)

/** The cases of a set that charge; cached because they are needed often. */
const charged = new WeakMap<SetStatements, ReadonlySet<string>>()

function chargedCases(said: SetStatements): ReadonlySet<string> {
  const known =
    charged.get(said) ?? new Set([...said.statements.values()].filter(isAmount).flatMap((one) => caseKey(one) ?? []))
  charged.set(said, known)
  return known
}
