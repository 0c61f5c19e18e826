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
export function howOf({ explain, ruleId, startDate, evidence }: QuoteLine, of?: string): HTMLElement[] {
  if (!explain) return []
  const sources = explain.sources.map(({ label, url, authority, official }) =>
    element(
      'li',
      {},
      element('a', { href: url, rel: 'noopener' }, label),
      ` (${authority}${official ? ', official' : ''})`,
    ),
  )
  const steps = stepsOf(explain).map((step) => element('li', {}, step))
  const rule = element(
    'p',
    {},
    `Rule ${ruleId}, in force since ${day(startDate)}. Grade: ${words(evidence).toLowerCase()}.`,
  )
  const heading = of === undefined ? 'Rule and sources' : `Rule and sources: ${of}`
  return [element('details', {}, element('summary', {}, heading), rule, element('ul', {}, ...steps, ...sources))]
}

function stepsOf({ basis, step, concession, account, ...explain }: Explanation): string[] {
  return [
    `Case ${explain.case}${step === undefined ? '' : `, ${step}`}`,
    ...(basis ? [`Basis ${words(basis.name)}: ${money(basis.amount)}`] : []),
    ...(concession === undefined ? [] : [`Concession ${words(concession)}`]),
    ...accountWords(account),
  ]
}
