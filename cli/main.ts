#!/usr/bin/env node
import * as checking from './check.ts'
import * as covering from './coverage.ts'
import * as burying from './dead-letters.ts'
import * as quoting from './quote.ts'
import { terminal, type Terminal } from './terminal.ts'

interface Command {
  usage: string
  run: (args: string[], terminal: Terminal) => number | Promise<number>
}

const commands: Record<string, Command> = {
  check: { usage: checking.usage, run: checking.check },
  quote: { usage: quoting.usage, run: quoting.quote },
  coverage: { usage: covering.usage, run: covering.coverage },
  'dead-letters': { usage: burying.usage, run: burying.deadLetters },
}

/** Runs one command; gives its exit code. */
async function main([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const usages = Object.values(commands).map(({ usage }) => usage)
  if (!command) return terminal.misused(usages.join('\n       '))
  try {
    return await command.run(args, terminal)
  } catch (error) {
    terminal.note(error instanceof Error ? error.message : String(error))
    return 2
  }
}

// A reader that has seen enough, `head` for one, closes the pipe: the end of the output, not a fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2))
