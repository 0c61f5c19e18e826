import type { Comparison } from '../diff/compare-sets.ts'
import type { FigureChange } from '../diff/figure-change.ts'
import { GST_IN, type Movement, type PricedTwice } from './price-both.ts'

/** What `diff` says of two releases. */
export type Told = Pick<Comparison, 'changes' | 'prices'>

/**
 * Whether `diff` explains a movement: by a changed figure of the component, or of one that it follows, on a day of the
 * request; or by the portfolio, whose quotes of that time move in the component. A refusal is explained only by a set that
 * is new or gone. `codes` are the pricing code of the request and those that its set imports.
 */
export function isExplained(
  { component }: Movement,
  { days }: Pick<PricedTwice, 'days'>,
  codes: readonly [string, ...string[]],
  told: Told,
): boolean {
  const changes = told.changes.filter(
    ({ pricingCode, about, ...period }) => codes.includes(pricingCode) && about !== 'evidence' && reaches(period, days),
  )
  if (component === 'answer') return changes.some(({ kind }) => kind === 'set')
  const name = component.replace(GST_IN, '')
  return (
    changes.some((change) => isOf(change, name)) || days.some((day) => movesInPortfolio(component, codes[0], day, told))
  )
}

const reaches = ({ from, until }: Pick<FigureChange, 'from' | 'until'>, days: readonly string[]): boolean =>
  days.some((day) => from <= day && (until === undefined || day <= until))

const isOf = ({ kind, component, followers = [] }: FigureChange, name: string): boolean =>
  kind === 'set' || (kind === 'rule' && component === name) || followers.some((each) => each.component === name)

/** Whether the portfolio's quotes of the last day of a change up to a day differ in the component. */
function movesInPortfolio(component: string, code: string, day: string, { prices }: Told): boolean {
  const own = prices.filter(({ pricingCode, from }) => pricingCode === code && from <= day)
  const last = own.reduce((latest, { from }) => (from > latest ? from : latest), '')
  return own.some((effect) => effect.from === last && effect.component === component)
}
