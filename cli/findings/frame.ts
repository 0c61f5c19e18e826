import { readFileSync } from 'node:fs'
import { describeFault, type LocatedFault } from '#rates/files/located.ts'
import type { Terminal } from '../terminal.ts'

/** A fault in the form that editors parse, then the line at fault with a caret; `files` has the lines of each file. */
export function framed(
  fault: LocatedFault,
  files: ReadonlyMap<string, readonly string[]>,
  { paint, columns }: Terminal,
): string[] {
  const lines = files.get(fault.file) ?? readFileSync(fault.file, 'utf8').split('\n')
  const line = lines[fault.line - 1] ?? ''
  const gutter = String(fault.line).padStart(5)
  const { shown, column } = excerpt(line, fault.column - 1, Math.max(40, columns - 9))
  const caret = '^'.repeat(lengthAt(shown, column))
  return [
    paint('bold', describeFault(fault)),
    `${paint('dim', `${gutter} |`)} ${shown.replaceAll('\t', '→')}`,
    `${paint('dim', '      |')} ${' '.repeat(column)}${paint('red', caret)}`,
  ]
}

/** The part of a line around a column that fits the width, without a trailing carriage return. */
function excerpt(line: string, column: number, width: number): { shown: string; column: number } {
  const plain = line.trimEnd().length > column ? line.trimEnd() : line.replace(/\r$/, '')
  if (plain.length <= width) return { shown: plain, column }
  const start = Math.max(0, Math.min(column - Math.floor(width / 3), plain.length - width + 1))
  const shown = `${start > 0 ? '…' : ''}${plain.slice(start, start + width - 2)}${start + width - 2 < plain.length ? '…' : ''}`
  return { shown, column: column - start + (start > 0 ? 1 : 0) }
}

/** The length of the token at a column: a quoted text, a key or a figure. */
function lengthAt(line: string, column: number): number {
  const [word = ' '] = /^("[^"]*"|'[^']*'|[^\s:,[\]{}]+)/.exec(line.slice(column)) ?? []
  return word.length
}
