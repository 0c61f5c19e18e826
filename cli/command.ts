import type { Help } from './help.ts'
import type { Expected, Options } from './options.ts'
import type { Terminal } from './terminal.ts'

/** One command; `run` returns its exit code. */
export interface Command {
  help: Help
  /** In the form that `parseArgs` takes. */
  options: Options
  /** The words of a call without `--`; absent when a shell cannot complete them. */
  operands?: Expected
  run: (args: string[], terminal: Terminal) => number | Promise<number>
}

/** A command in the list of all commands. */
interface Listed {
  summary: string
  /** Called only when needed: help does not load the dependencies of a command. */
  load: () => Promise<Command>
}

/** All commands by name, in the order in which help lists them. */
export type Commands = Readonly<Record<string, Listed>>
