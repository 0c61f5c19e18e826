/** One line of the report. */
export interface Figure {
  what: string
  /** The measurement on this machine with its unit, for the terminal only. */
  measured: string
  /** The comparison and the ratio to it, which is about the same on every machine. */
  comparedWith: string
  ratio: string
  /** The target of this figure; empty if it has none. */
  target: string
  met: boolean | null
}

export interface Section {
  title: string
  /** How it was measured, in a sentence or two. */
  how: string
  figures: Figure[]
}

const verdict = (met: boolean | null) => (met === null ? '' : met ? 'yes' : 'no')

/** A section as a table for a terminal. */
export function terminalTable({ title, figures }: Section): string {
  const head = ['', 'measured', 'ratio', 'compared with', 'target', 'met']
  const rows = figures.map((each) => [
    ...[each.what, each.measured, each.ratio, each.comparedWith, each.target],
    verdict(each.met),
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return [`\n${title}`, line(head), ...rows.map(line)].join('\n')
}

const HEAD = `# Benchmarks

\`make bench\` writes the tables with the columns "target" and "met"; no build depends on the figures. The sections "before and
after" and the remarks below the tables are written by hand, and have absolute figures. Each ratio of a table compares two figures of
one run on one machine, mostly of alternating rounds. Absolute figures are left out of these tables, because they hold for one machine only. Where
the target is a time, the ratio compares the measured time with the target: a machine that is busy with other work misses such a
target before the other ratios change.
`

/**
 * The page of the sections. Its tables have only ratios, because absolute figures differ between machines. Other sections in
 * `before` are kept, and so is what people have written below the table of a section.
 */
export function benchmarkPage(before: string, sections: readonly Section[]): string {
  const texts = new Map<string, string>()
  for (const text of before.split(/^(?=## )/m)) if (text.startsWith('## ')) texts.set(titleOf(text), text.trim())
  for (const section of sections) {
    const remarks = belowTable(texts.get(section.title) ?? '')
    texts.set(section.title, [markdownSection(section).trim(), ...remarks].join('\n\n'))
  }
  return `${[HEAD.trim(), ...texts.values()].join('\n\n')}\n`
}

/** What stands below the first table of a section, which a bench wrote; a person may have added other tables. */
function belowTable(text: string): string[] {
  const [, remarks = ''] = /^(?:\|.*(?:\n|$))+([^]*)/m.exec(text) ?? []
  return remarks.trim() === '' ? [] : [remarks.trim()]
}

const titleOf = (text: string) => text.slice('## '.length, text.indexOf('\n'))

function markdownSection({ title, how, figures }: Section): string {
  const rows = figures.map(
    ({ what, ratio, comparedWith, target, met }) =>
      `| ${[what, ratio, comparedWith, target, verdict(met)].join(' | ')} |`,
  )
  return [
    '',
    `## ${title}`,
    '',
    how,
    '',
    '| | ratio | compared with | target | met |',
    '|---|--:|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Two significant digits, or all digits before the point. */
export const ratioOf = (a: number, b: number): string => {
  const ratio = a / b
  return ratio >= 100 ? String(Math.round(ratio)) : ratio.toPrecision(2)
}
