import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from './kind.ts'

/** The start of a reference page: an object of the kind, and the output of `kubectl get` once it is published. */
export function exampleText(kind: Kind): string {
  const name = kind.kind.toLowerCase()
  const object = readFileSync(join(import.meta.dirname, 'examples', `${name}.yaml`), 'utf8')
  return [
    `\`\`\`yaml\n${object}\`\`\``,
    `\`\`\`console\n$ kubectl get ${name} ${kind.shown[0]}\n${printed(kind)}\n\`\`\``,
    'What the conditions and their reasons mean, and what to do: [conditions](../conditions.md).',
  ].join('\n\n')
}

/** A table as kubectl prints it: columns three spaces apart. */
function printed({ columns, shown }: Kind): string {
  const head = ['NAME', ...columns.filter(({ priority }) => !priority).map(({ name }) => name.toUpperCase())]
  const widths = head.map((title, at) => Math.max(title.length, shown[at]!.length))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('   ')
      .trimEnd()
  return [line(head), line(shown)].join('\n')
}
