import { accountWords } from '#rates/answers/account-words.ts'
import { PricingFault, type Explanation, type Quote, type QuoteLine } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { element } from './element.ts'
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

/** Rule, grade, account and official pages of the lines of some components; nothing where they have no line. */
export function howOfComponents(components: readonly string[], chosen: Chosen, snapshot: Snapshot): HTMLElement[] {
  const priced = explained(chosen, snapshot)
  if (priced instanceof PricingFault) return []
  const lines = components.flatMap((name) => priced.categories.onRoad.filter(({ component }) => component === name))
  return lines.flatMap((line) => howOf(line, lines.length > 1 ? line.description : undefined))
}

/** Rule, grade, account and official pages of a line, folded; `of` names the line where several stand together. */
export function howOf(line: QuoteLine, of?: string): HTMLElement[] {
  if (!line.explain) return []
  const heading = of === undefined ? 'Rule and sources' : `Rule and sources: ${of}`
  return [fold(heading, ruleOf(line), list(stepsOf(line.explain)), sourcesOf(line.explain))]
}

/** One side of a cliff: what it is called, and what is priced there. */
export interface Side {
  label: string
  priced: Quote | PricingFault
}

/** What the law says about a component on both sides of a cliff, folded; each rule with its official pages once. */
export function howOfJump(heading: string, component: string, sides: readonly Side[]): HTMLElement {
  const found = sides.map(({ label, priced }) => {
    const lines = priced instanceof PricingFault ? [] : priced.categories.onRoad
    return { label, line: lines.find((each) => each.component === component) }
  })
  const amounts = found.flatMap(({ label, line }) => [
    element('p', {}, `${label}: ${line ? money(line.value) : 'no line'}`),
    ...(line?.explain ? [list(stepsOf(line.explain))] : []),
  ])
  const rules = new Map(found.flatMap(({ line }) => (line ? [[line.ruleId, line] as const] : [])))
  const said = [...rules.values()].flatMap((line) => [ruleOf(line), ...(line.explain ? [sourcesOf(line.explain)] : [])])
  return fold(heading, ...amounts, ...said)
}

const fold = (heading: string, ...parts: HTMLElement[]) =>
  element('details', {}, element('summary', {}, heading), ...parts)

const list = (entries: readonly string[]) => element('ul', {}, ...entries.map((entry) => element('li', {}, entry)))

function ruleOf({ explain, ruleId, startDate, evidence }: QuoteLine): HTMLElement {
  const places = explain ? [explain.case, ...(explain.step === undefined ? [] : [explain.step])].join(', ') : ''
  const grade = words(evidence).toLowerCase()
  return element(
    'p',
    {},
    `Rule ${ruleId}, in force since ${day(startDate)}. Grade: ${grade}. In its rate set: ${places}.`,
  )
}

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
