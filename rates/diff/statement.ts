import type { WordedStatement } from './said.ts'
import type { Sourced } from './source-words.ts'

/** One statement of a set on a day; `component` is its subject: a component or another named part. */
export interface Statement extends WordedStatement, Pick<Sourced, 'sources'>, Partial<Pick<Sourced, 'official' | 'unofficial'>> {
  component: string
  /** The component as readers call it. */
  heading?: string
  kind: 'rule' | 'parameter' | 'concession' | 'other'
  ruleId?: string
}
