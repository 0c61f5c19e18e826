import type { Help } from './help.ts'
import type { Expected, Options } from './options.ts'
import type { Terminal } from './terminal.ts'

/** One command; `run` gives its exit code. */
export interface Command {
  help: Help
  /** As `parseArgs` reads them. */
  options: Options
  /** What stands in the call without a `--`; nothing that a shell could complete where it is left out. */
  operands?: Expected
  run: (args: string[], terminal: Terminal) => number | Promise<number>
}

/** A command in the list of all. */
interface Listed {
  summary: string
  /** Read only when it is asked for: help does not wait for what a command needs. */
  load: () => Promise<Command>
}

/** Every command by its name, in the order in which help shows them. */
export type Commands = Readonly<Record<string, Listed>>
