import type { Rule } from '#rates/engine/grammar/rule.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { JurisdictionYear } from '#rates/engine/summaries.ts'
import { rulesOfYear, type SourceSummary } from '#rates/engine/year-listings.ts'
import { element, table, text, type Cell } from './element.ts'
import { saveRows, type Rows } from './save.ts'
import { words } from './words.ts'

/** Jurisdiction × component × year: the grade of evidence of each figure, and what is missing. */
export function mapView(snapshot: Snapshot, names: Readonly<Record<string, string>>): HTMLElement[] {
  const years = [...new Set(Object.values(snapshot.jurisdictions).flatMap(({ years: own }) => Object.keys(own)))].sort()
  return [
    element('h2', {}, 'What is priced, and on what evidence'),
    element('ul', { class: 'legend' }, ...Object.entries(GRADES).map(([grade, what]) => gradeEntry(grade, what))),
    element(
      'p',
      {},
      'An empty cell: there is no such charge. Each grade leads to the first of the pages that the rule rests on.',
    ),
    ...years.toReversed().map((year) => yearTable(year, snapshot, names)),
    saveRows('map', () => rowsOf(years, snapshot)),
  ]
}

/** A row for each rule: its grade, the vehicles without a figure, and the first page that it rests on. */
function rowsOf(years: readonly string[], { jurisdictions }: Snapshot): Rows {
  const rows = years.flatMap((year) =>
    Object.values(jurisdictions).flatMap(({ pricingCode, years: own }) =>
      (own[year] ? gradedRules(own[year]) : []).map(({ component, id, page, evidence, unpriced }) => [
        ...[year, pricingCode, component, id, evidence, unpriced, page?.url ?? ''],
      ]),
    ),
  )
  return [['financial_year', 'pricing_code', 'charge', 'rule', 'grade', 'unpriced', 'page'], ...rows]
}

/** A rule of the map. */
interface GradedRule {
  id: string
  component: string
  evidence: string
  /** The vehicles for which the charge is due without a figure. */
  unpriced: 'none' | 'some' | 'all'
  page: SourceSummary | undefined
}

/** The on-road rules of a year, with those whose figures are missing. */
function gradedRules(year: JurisdictionYear): GradedRule[] {
  const rules = year.specs.flatMap((spec) => spec.rules)
  // The summaries are in the order of the rules.
  return rulesOfYear(year).flatMap(({ id, component, category, verification }, index) => {
    if (category !== 'onRoad') return []
    const { evidence, officialSources } = verification
    return [{ id, component, evidence, unpriced: unpricedOf(rules[index]!), page: officialSources[0] }]
  })
}

function unpricedOf({ cases }: Rule): GradedRule['unpriced'] {
  if (cases.every(({ unpriced }) => unpriced !== undefined)) return 'all'
  return cases.some(({ unpriced }) => unpriced !== undefined) ? 'some' : 'none'
}

/** What each grade says about a figure. */
const GRADES: Readonly<Record<string, string>> = {
  official: 'read on an official page or in legislation',
  secondary: 'read elsewhere',
  derived: 'computed from published figures',
  estimate: 'our own estimate',
  unpriced: 'due, but the figure is not in the sources',
  gaps: 'as unpriced, for some vehicles',
}

const gradeEntry = (grade: string, what: string) =>
  element('li', {}, element('span', { class: `grade grade-${grade}` }, words(grade)), `: ${what}`)

function yearTable(year: string, snapshot: Snapshot, names: Readonly<Record<string, string>>): HTMLElement {
  const published = Object.values(snapshot.jurisdictions).filter(({ years }) => years[year])
  const rulesOf = (code: string) => gradedRules(snapshot.jurisdictions[code]!.years[year]!)
  const components = [
    ...new Set(published.flatMap(({ pricingCode }) => rulesOf(pricingCode).map(({ component }) => component))),
  ]
  const codes = published.map(({ pricingCode }) => pricingCode)
  const headings = [text('Charge'), ...codes.map((code) => text(shortName(code, names)))]
  const rows = components
    .sort()
    .map((component): Cell[] => [
      text(words(component)),
      ...codes.map((code) => text(...gradesOf(rulesOf(code).filter((rule) => rule.component === component)))),
    ])
  return table(`Financial year ${year}`, headings, rows, 'dense')
}

/** A state as Australians write it, such as NSW: eight columns fit beside each other. */
const shortName = (code: string, names: Readonly<Record<string, string>>) =>
  element('abbr', { title: names[code] ?? code }, code.replace(/^AU_/, ''))

/**
 * Each grade of the rules once, linked to the first page of its first rule; an empty cell means that the law has no such
 * charge there.
 */
function gradesOf(rules: readonly GradedRule[]): (Node | string)[] {
  const graded = rules.flatMap((rule) => gradesOfRule(rule).map((grade) => ({ grade, page: rule.page })))
  return [...Map.groupBy(graded, ({ grade }) => grade)].flatMap(([grade, own]) => {
    const page = own[0]?.page
    const label = element('span', { class: `grade grade-${grade}` }, words(grade))
    return [page ? element('a', { href: page.url, rel: 'noopener', title: page.label }, label) : label, ' ']
  })
}

/** A rule without any figure has no evidence for one. */
function gradesOfRule({ evidence, unpriced }: GradedRule): string[] {
  if (unpriced === 'all') return ['unpriced']
  return unpriced === 'some' ? [evidence, 'gaps'] : [evidence]
}
