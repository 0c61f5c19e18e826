import type { Quote, QuoteLine } from '#rates/engine/answer.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { plainly } from './fields.ts'
import { howOf } from './how.ts'
import { money, words } from './words.ts'

/** The lines of a quote with rule, grade and sources, and what the quote lacks or assumes. */
export function priceView(quote: Quote): HTMLElement[] {
  const { totals, metadata, categories } = quote
  const lines = [...categories.dutiable, ...categories.onRoad, ...categories.additional]
  const total: Cell[] = [text('Drive-away price'), text(''), amount(money(totals.driveAway)), text('')]
  const headings = [text('Line'), text('Grade'), amount('Amount'), text('How it comes about')]
  const unpriced = metadata.unpriced.map(({ component, reason }) =>
    element('li', {}, `${words(component)}: ${plainly(reason)}`),
  )
  return [
    element('h2', {}, `Drive away for ${money(totals.driveAway)}`),
    metadata.complete
      ? element('p', {}, 'The price is complete: every charge that is due is in it.')
      : element(
          'div',
          { class: 'incomplete' },
          element('p', {}, 'The price is not complete. Without a price:'),
          element('ul', {}, ...unpriced),
        ),
    table(
      `Lines of the quote, financial year ${metadata.financialYear}`,
      headings,
      [...lines.map(rowOf), total],
      'sum',
    ),
    ...warningsOf(metadata.warnings),
  ]
}

function rowOf(line: QuoteLine): Cell[] {
  const grade = element('span', { class: `grade grade-${line.evidence}` }, words(line.evidence))
  return [text(line.description), text(grade), amount(money(line.value)), text(...howOf(line))]
}

function warningsOf(warnings: readonly string[]): HTMLElement[] {
  if (warnings.length === 0) return []
  const said = warnings.map((warning) => element('li', {}, plainly(warning)))
  return [element('h3', {}, 'What the quote assumes'), element('ul', {}, ...said)]
}
