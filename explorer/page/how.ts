import { accountWords } from '#rates/answers/account-words.ts'
import { PricingFault, type Explanation, type Quote, type QuoteLine } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { element } from './element.ts'
import { plainly } from './fields.ts'
import { fold } from './fold.ts'
import { requestOf, type Chosen } from './request.ts'
import { day, money, words } from './words.ts'

/** The quote of a choice with the account of each line, or why there is none. */
export function explained(chosen: Chosen, snapshot: Snapshot): Quote | PricingFault {
  try {
    return quote(requestOf(chosen), snapshot)
  } catch (error) {
    if (error instanceof PricingFault) return error
    throw error
  }
}

/** Rule, grade, account and official pages of the line of a component, folded; the choice is priced when it opens. */
export const howOfComponent = (component: string, chosen: Chosen, snapshot: Snapshot): HTMLElement =>
  fold(HEADING, () => {
    const priced = explained(chosen, snapshot)
    const line = lineOf(component, priced)
    return line ? accountOf(line) : reasonsOf(component, priced).map((reason) => element('p', {}, reason))
  })

/** Rule, grade, account and official pages of a line, folded. */
export const howOf = (line: QuoteLine): HTMLElement[] => (line.explain ? [fold(HEADING, () => accountOf(line))] : [])

const HEADING = 'Rule and sources'

const accountOf = (line: QuoteLine): HTMLElement[] =>
  line.explain ? [ruleOf(line), list(stepsOf(line.explain)), sourcesOf(line.explain)] : []

const lineOf = (component: string, priced: Quote | PricingFault): QuoteLine | undefined =>
  priced instanceof PricingFault ? undefined : priced.categories.onRoad.find((each) => each.component === component)

/** Why a component that is due has no price. */
const reasonsOf = (component: string, priced: Quote | PricingFault): string[] =>
  priced instanceof PricingFault
    ? [plainly(priced.message)]
    : priced.metadata.unpriced.filter((each) => each.component === component).map(({ reason }) => plainly(reason))

/** One side of a cliff or of a comparison: what it is called, what is chosen there, and the rates. */
export interface Side {
  label: string
  chosen: Chosen
  snapshot: Snapshot
}

/** What the law says about a component on both sides, each rule with its official pages once. */
export function lawOfJump(component: string, sides: readonly Side[]): HTMLElement[] {
  const found = sides.map(({ label, chosen, snapshot }) => {
    const priced = explained(chosen, snapshot)
    return { label, line: lineOf(component, priced), reasons: reasonsOf(component, priced) }
  })
  const amounts = found.flatMap(({ label, line, reasons }) => [
    element('p', {}, `${label}: ${line ? money(line.value) : reasons.join(' ') || 'no line'}`),
    ...(line?.explain ? [list(stepsOf(line.explain))] : []),
  ])
  const rules = new Map(found.flatMap(({ line }) => (line ? [[line.ruleId, line] as const] : [])))
  const said = [...rules.values()].flatMap((line) => [ruleOf(line), ...(line.explain ? [sourcesOf(line.explain)] : [])])
  return [...amounts, ...said]
}

const list = (entries: readonly string[]) => element('ul', {}, ...entries.map((entry) => element('li', {}, entry)))

function ruleOf({ explain, ruleId, startDate, evidence }: QuoteLine): HTMLElement {
  const place = explain ? placeWords([explain.case, explain.step ?? '']) : ''
  const grade = words(evidence).toLowerCase()
  return element(
    'p',
    {},
    `Rule ${ruleId}, in force since ${day(startDate)}. Grade: ${grade}.${place === '' ? '' : ` Of this rule: ${place}.`}`,
  )
}

/** `case 4, band 1` for `rules[0].cases[3]` and `charge.bands[0]`: people count from one. */
const placeWords = (paths: readonly string[]): string =>
  [...paths.join('.').matchAll(/(\w+?)s?\[(\d+)\]/g)]
    .filter(([, name]) => name !== 'rule')
    .map(([, name = '', index]) => `${words(name).toLowerCase()} ${Number(index) + 1}`)
    .join(', ')

const sourcesOf = ({ sources }: Explanation) =>
  element(
    'ul',
    {},
    ...sources.map(({ label, url, authority, official }) =>
      element(
        'li',
        {},
        element('a', { href: url, rel: 'noopener' }, label),
        ` (${authority}${official ? ', official' : ''})`,
      ),
    ),
  )

function stepsOf({ basis, concession, account }: Explanation): string[] {
  // The basis says where the computation begins, and what the amount is called.
  const steps = basis && account[0]?.kind === 'basis' ? account.slice(1) : account
  return [
    ...(basis ? [`${words(basis.name)} ${money(basis.amount)}`] : []),
    ...(concession === undefined ? [] : [`Concession ${words(concession)}`]),
    ...accountWords(steps),
  ]
}
