import type { SetCoverage } from './cover-sets.ts'
import { link, plain } from './markdown.ts'
import type { NotExecuted } from './not-executed.ts'
import type { NotFound } from './not-found.ts'
import { pricedOf } from './on-day.ts'
import { codeSection } from './page-section.ts'

const INTRODUCTION = `# Coverage

<!-- Made by "driveaway coverage" from the rate sets; edit those, then run "make generate". -->

This page shows what each rate set prices: every component in every year, with the evidence of its figures, its sources and what is
missing. The grade of a figure is the grade of its weakest part. For a rule with figures of several grades, all grades are listed, the
most certain first.

| evidence | the figure |
|---|---|
| official | was read on an official page or in legislation |
| secondary | was read elsewhere |
| derived | was computed from published figures |
| estimate | is our own estimate; every quote with the figure says so |

"In part" means that some vehicles are not priced, and "not priced" means that no vehicle is: the quote then leaves the line out and
says so. "No line" means that nothing is charged under this name, or that another line includes the charge.`

/** The lists of the page that do not come from the rate sets. */
interface Lists {
  notExecuted: readonly NotExecuted[]
  notFound: readonly NotFound[]
  notShown: readonly NotFound[]
}

/** The coverage page of some rate sets in Markdown; `sets` must be sorted by pricing code and year. */
export function coveragePage(sets: readonly SetCoverage[], { notExecuted, notFound, notShown }: Lists): string {
  const years = [...new Set(sets.map(({ financialYear }) => financialYear))].toSorted()
  const codes = [...Map.groupBy(sets, ({ pricingCode }) => pricingCode)]
  const sections = codes.map(([code, own]) => codeSection(code, own, years))
  const lists = [
    searchedSection(NOT_FOUND, notFound),
    searchedSection(NOT_SHOWN, notShown),
    notExecutedSection(notExecuted),
  ]
  return `${[INTRODUCTION, overview(codes, years), ...sections, ...lists].join('\n\n')}\n`
}

const NOT_FOUND = `## Figures that were not found

Due by law, for a new or used car, SUV, ute or van, and not in any source that was read: the component is not priced.`

const NOT_SHOWN = `## Figures that no official page shows

Priced from other sources, and graded so. The official page that a rule names is the one where the authority would publish the figure;
none that was read shows it.`

function searchedSection(heading: string, figures: readonly NotFound[]): string {
  const rows = figures.map(
    ({ pricingCode, component, financialYears, figure, searched }) =>
      `| ${pricingCode} | ${component} | ${financialYears.join(', ')} | ${plain(figure)} | ${plain(searched)} |`,
  )
  return [heading, '', '| | component | years | figure | searched |', '|---|---|---|---|---|', ...rows].join('\n')
}

function notExecutedSection(figures: readonly NotExecuted[]): string {
  const rows = figures.map(
    ({ pricingCode, figure, label, url, reason }) =>
      `| ${pricingCode} | ${plain(figure)} | ${link(label, url)} | ${plain(reason)} |`,
  )
  return [
    '## Official figures that nothing executes',
    '',
    '| | figure | source | why |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

type Codes = readonly (readonly [string, readonly SetCoverage[]])[]

function overview(codes: Codes, years: readonly string[]): string {
  const rows = codes.map(([code, own]) => {
    const cells = years.map((year) => counted(own.find(({ financialYear }) => financialYear === year)))
    return `| [${code}](#${code.toLowerCase()}) | ${cells.join(' | ')} |`
  })
  return [
    '## Components by year',
    '',
    `| | ${years.join(' | ')} |`,
    `|---|${years.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n')
}

/** Counts the components of a set that are priced, priced in part, and not priced. */
function counted(set: SetCoverage | undefined): string {
  if (!set) return '**missing**'
  const components = [...Map.groupBy(set.rules, ({ component }) => component).values()].map((rules) =>
    pricedOf({ grades: rules.flatMap(({ grades }) => grades), unpriced: rules.flatMap(({ unpriced }) => unpriced) }),
  )
  const parts = (['priced', 'in part', 'not priced', 'no line'] as const).map((outcome) => {
    const count = components.filter((priced) => priced === outcome).length
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  return parts.flat().join(', ')
}
