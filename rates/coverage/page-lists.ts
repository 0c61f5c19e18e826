import type { RuleCoverage, SetCoverage } from './cover-sets.ts'
import { plain } from './markdown.ts'
import { pricedOf } from './on-day.ts'
import type { NumberedSources } from './page-sources.ts'

interface Said {
  about: string
  text: string
}

/** The non-empty lists of one pricing code: what is not priced and why, estimates, conflicts, published figures. */
export function listsOf(sets: readonly SetCoverage[], sources: NumberedSources): string[] {
  const unpriced = saidBy(sets, ({ unpriced }) => unpriced)
  const noLine = saidBy(sets, (rule) => (pricedOf(rule) === 'no line' ? rule.exempt : []))
  const estimates = saidBy(sets, ({ estimates }) => estimates)
  const conflicts = saidBy(sets, ({ conflicts }) => conflicts)
  const published = sets.map((set) =>
    set.published.map((one) => ({ about: one.name, text: `${plain(one.note)} ${sources.numbersOf(one.sources)}` })),
  )
  return [
    ...listOf('Not priced', sets, unpriced),
    ...listOf('No line', sets, noLine),
    ...listOf('Estimates', sets, estimates),
    ...listOf('Sources that do not agree', sets, conflicts),
    ...listOf('Published figures that an example executes', sets, published),
  ]
}

/** The texts of the rules of each set, with their component. */
const saidBy = (sets: readonly SetCoverage[], textsOf: (rule: RuleCoverage) => string[]): Said[][] =>
  sets.map(({ rules }) =>
    rules.flatMap((rule) => textsOf(rule).map((text) => ({ about: rule.component, text: plain(text) }))),
  )

/** A list of texts, each once with its subject and its years; empty without texts. */
function listOf(title: string, sets: readonly SetCoverage[], said: readonly Said[][]): string[] {
  const all = sets.flatMap(({ financialYear }, position) => said[position]!.map((one) => ({ ...one, financialYear })))
  const together = [...Map.groupBy(all, ({ about }) => about).values()].flat()
  const lines = [...Map.groupBy(together, ({ about, text }) => `${about}: ${text}`)].map(([line, same]) => {
    const years = [...new Set(same.map(({ financialYear }) => financialYear))]
    return `- ${line} (${years.join(', ')})`
  })
  return lines.length > 0 ? [`### ${title}\n\n${lines.join('\n')}`] : []
}
