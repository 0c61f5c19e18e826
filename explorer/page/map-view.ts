import { rulesOfYear, type RuleSummary } from '#rates/engine/year-listings.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
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
      'An empty cell: there is no such charge. Each grade leads to the page that the figure was read on.',
    ),
    ...years.toReversed().map((year) => yearTable(year, snapshot, names)),
    saveRows('map', () => rowsOf(years, snapshot)),
  ]
}

/** A row for each rule that charges something: its grade, and the official page that it was read on. */
function rowsOf(years: readonly string[], { jurisdictions }: Snapshot): Rows {
  const rows = years.flatMap((year) =>
    Object.values(jurisdictions).flatMap(({ pricingCode, years: own }) =>
      (own[year] ? rulesOfYear(own[year]) : [])
        .filter(({ category }) => category === 'onRoad')
        .map(({ component, id, verification: { evidence, officialSources } }) => [
          ...[year, pricingCode, component, id, evidence, officialSources[0]?.url ?? ''],
        ]),
    ),
  )
  return [['financial_year', 'pricing_code', 'charge', 'rule', 'grade', 'official_page'], ...rows]
}

/** What each grade says about a figure. */
const GRADES: Readonly<Record<string, string>> = {
  official: 'read on an official page or in legislation',
  secondary: 'read elsewhere',
  derived: 'computed from published figures',
  estimate: 'our own estimate',
  unpriced: 'due, but without a figure',
}

const gradeEntry = (grade: string, what: string) =>
  element('li', {}, element('span', { class: `grade grade-${grade}` }, words(grade)), `: ${what}`)

function yearTable(year: string, snapshot: Snapshot, names: Readonly<Record<string, string>>): HTMLElement {
  const published = Object.values(snapshot.jurisdictions).filter(({ years }) => years[year])
  const rulesOf = (code: string) =>
    rulesOfYear(snapshot.jurisdictions[code]!.years[year]!).filter(({ category }) => category === 'onRoad')
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
 * Each grade of the rules once, linked to an official page; an empty cell means that the law has no such charge there.
 */
function gradesOf(rules: readonly RuleSummary[]): (Node | string)[] {
  const byGrade = Map.groupBy(rules, ({ verification }) => verification.evidence)
  return [...byGrade].flatMap(([grade, own]) => {
    const source = own[0]?.verification.officialSources[0]
    const label = element('span', { class: `grade grade-${grade}` }, words(grade))
    return [source ? element('a', { href: source.url, rel: 'noopener', title: source.label }, label) : label, ' ']
  })
}
