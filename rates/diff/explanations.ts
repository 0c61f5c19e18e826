import { isSameData } from './same-data.ts'
import type { Statement } from './statement.ts'

/** Whether an outcome stays as it is apart from its reason, or an amount apart from the terms that it is computed from. */
export function explanationOf(old: Statement | undefined, now: Statement | undefined): { isExplanation?: true } {
  const isReason = old?.outcome !== undefined && old.outcome === now?.outcome
  const { figure } = old ?? {}
  // Two rates of one percentage may be of the whole and of the excess.
  const isOrigin = figure?.unit === 'cents' && figure.per === undefined && isSameData(figure, now?.figure)
  return isReason || isOrigin ? { isExplanation: true } : {}
}
