import { explainExample, runExample } from '../proof/run-example.ts'
import type { Example, RateSetSpec, Source } from '../engine/grammar/rate-set.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { link, plain } from './markdown.ts'

/** An example that a source publishes, with the result of the rates of its year; dollars or `none`. */
export interface PublishedAnswer {
  pricingCode: string
  financialYear: string
  example: string
  /** What the source says in addition to the figures. */
  note: string
  source: Source
  figures: { component: string; expected: string; ours: string }[]
}

/** Every published example, priced; examples that were worked by hand from the act are excluded. */
export function publishedAnswers(specs: readonly RateSetSpec[], snapshot: Snapshot): PublishedAnswer[] {
  const sets = specs.filter(({ withdrawn }) => withdrawn !== true)
  return sets.flatMap((spec) =>
    (spec.examples ?? [])
      .filter(({ source }) => source.kind === 'published')
      .map((example) => answerOf(example, spec, snapshot)),
  )
}

function answerOf(example: Example, spec: RateSetSpec, snapshot: Snapshot): PublishedAnswer {
  const { pricingCode, financialYear, sources } = spec
  const { got } = runExample(example, spec, snapshot)
  const estimates = explainExample(example, spec, snapshot).filter(({ evidence }) => evidence === 'estimate')
  // `unpriced`, or an estimate of a component, is ours and not the source's.
  const said = Object.entries(example.expect).filter(
    ([name, expected]) => expected !== 'unpriced' && !estimates.some(({ component }) => component === name),
  )
  return {
    pricingCode,
    financialYear,
    example: example.name,
    note: example.source.note ?? '',
    // The checks refuse a set whose example names an unknown source.
    source: sources.find(({ name }) => name === example.source.name)!,
    figures: said.map(([component, expected]) => ({ component, expected, ours: got[component] ?? 'none' })),
  }
}

const INTRODUCTION = `# Published examples

<!-- Made by "driveaway coverage --published" from the rate sets; edit those, then run "make generate". -->

Each row compares a published example with our rates: what the source says, the figures that the worked example expects, and the figures
that the rates give. A set that differs by a cent is not published. If a source rounds, says "about" or prints only some of the figures,
the expected figures follow from the rates.`

/** The page of published answers beside ours, in Markdown; examples that are the same in several years share a row. */
export function publishedPage(answers: readonly PublishedAnswer[]): string {
  const byCode = [...Map.groupBy(answers, ({ pricingCode }) => pricingCode)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return `${[INTRODUCTION, ...byCode.map(([code, own]) => sectionOf(code, own))].join('\n\n')}\n`
}

function sectionOf(code: string, answers: readonly PublishedAnswer[]): string {
  const rows = [...Map.groupBy(answers, rowOf)].map(([row, same]) => {
    const years = [...new Set(same.map(({ financialYear }) => financialYear))].toSorted()
    return `${row} ${years.join(', ')} |`
  })
  return [
    `## ${code}\n`,
    '| example | the source says | expected | ours | source | years |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function rowOf({ example, note, figures, source }: PublishedAnswer): string {
  const cell = (which: 'expected' | 'ours') =>
    figures.map((figure) => `${figure.component} ${figure[which]}`).join('<br>')
  return `| ${plain(example)} | ${plain(note)} | ${cell('expected')} | ${cell('ours')} | ${link(source.label, source.url)} |`
}
