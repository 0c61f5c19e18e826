import { commands } from './commands.ts'
import { EXIT_CODES, pairs } from './help.ts'
import type { Terminal } from './terminal.ts'

/** The page of `driveaway` without a command: its purpose, all commands, and where to read on. */
export function overview(json: boolean, { paint }: Terminal): string[] {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)
  if (json) return [JSON.stringify(Object.fromEntries(rows), null, 2)]
  return [
    `${paint('bold', 'driveaway')}: Australian drive-away prices from rates that are kept in Git.`,
    '',
    ...pairs(rows),
    '',
    paint('bold', 'Change a figure, from the edit to the review'),
    ...pairs([
      ['driveaway lint', 'is the rate set well-formed?'],
      ['driveaway test', 'do the worked examples and the cases pass?'],
      ['driveaway diff git:HEAD rates/sets', 'what changes, from when, and what does it do to prices?'],
    ]),
    '',
    `A command that reports takes ${paint('bold', '--output json')}; every command takes ${paint('bold', '--help')}, which is the same as driveaway help <command>.`,
    '',
    paint('bold', 'Exit codes'),
    ...pairs(EXIT_CODES.map(([code, meaning]) => [String(code), meaning] as const)),
  ]
}
