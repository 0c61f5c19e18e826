import type { ConcessionCoverage, RuleCoverage, SetCoverage } from './cover-sets.ts'
import { pricedOf } from './on-day.ts'
import { listsOf } from './page-lists.ts'
import { numberSources, type NumberedSources } from './page-sources.ts'

/**
 * The section of the page about one pricing code: components and concessions by year, what is not priced, the sources.
 */
export function codeSection(code: string, sets: readonly SetCoverage[], years: readonly string[]): string {
  const sources = numberSources(
    sets.flatMap(({ rules, concessions, published }) => [...rules, ...concessions, ...published]),
  )
  const rules = tableOf({ title: 'component', sets, years }, ({ rules }) =>
    rules.map((rule) => ({ key: rule.component, text: ruleText(rule, sources), ...spanOf(rule) })),
  )
  const concessions = tableOf({ title: 'concession', sets, years }, ({ concessions }) =>
    concessions.map((each) => ({ key: each.type, text: gradesText(each, sources), ...spanOf(each) })),
  )
  const tables = [rules, concessions].filter((lines) => lines.length > 2).map((lines) => lines.join('\n'))
  const list = `### Sources of ${code}\n\n${sources.list.join('\n')}`
  return [`## ${code}`, ...tables, ...listsOf(sets, sources), list].join('\n\n')
}

interface Entry {
  key: string
  text: string
  startDate: string
  endDate: string
}

const spanOf = ({ startDate, endDate }: { startDate: string; endDate: string }) => ({ startDate, endDate })

function tableOf(
  { title, sets, years }: { title: string; sets: readonly SetCoverage[]; years: readonly string[] },
  entriesOf: (set: SetCoverage) => Entry[],
): string[] {
  const found = sets.map((set) => ({ set, entries: entriesOf(set) }))
  const keys = [...new Set(found.flatMap(({ entries }) => entries.map(({ key }) => key)))]
  const cell = (key: string, year: string) => {
    const { set, entries = [] } = found.find(({ set }) => set.financialYear === year) ?? {}
    if (!set) return '**missing**'
    const own = entries.filter((entry) => entry.key === key).map((entry) => dated(entry, set))
    return [...new Set(own)].join('<br>') || 'none'
  }
  return [
    `| ${title} | ${years.join(' | ')} |`,
    `|---|${years.map(() => '---|').join('')}`,
    ...keys.map((key) => `| ${key} | ${years.map((year) => cell(key, year)).join(' | ')} |`),
  ]
}

/** The text of an entry, preceded by its dates when it does not apply all year. */
function dated({ text, startDate, endDate }: Entry, set: SetCoverage): string {
  const days = [
    ...(startDate > set.startDate ? [`from ${startDate}`] : []),
    ...(endDate < set.endDate ? [`to ${endDate}`] : []),
  ]
  return days.length > 0 ? `${days.join(' ')}: ${text}` : text
}

function ruleText(rule: RuleCoverage, sources: NumberedSources): string {
  const priced = pricedOf(rule)
  if (priced === 'not priced' || priced === 'no line') return `${priced} ${sources.numbersOf(rule.sources)}`
  return priced === 'in part' ? `in part: ${gradesText(rule, sources)}` : gradesText(rule, sources)
}

const gradesText = ({ grades, sources }: RuleCoverage | ConcessionCoverage, numbered: NumberedSources) =>
  `${grades.join(', ')} ${numbered.numbersOf(sources)}`
