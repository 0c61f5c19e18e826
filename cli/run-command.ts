import { readFileSync } from 'node:fs'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { didYouMean } from './did-you-mean.ts'
import { faultOf } from './faults.ts'
import { commandPage } from './help.ts'
import { overview } from './overview.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command and returns its exit code. */
export async function runCommand([name = 'help', ...args]: string[], terminal: Terminal): Promise<number> {
  if (name === '--version') return print([version()], terminal)
  if (['help', '--help', '-h'].includes(name)) return help(args, terminal)
  if (!Object.hasOwn(commands, name)) return unknown(name, terminal)
  const command = await commands[name]!.load()
  if (args.includes('--help') || args.includes('-h')) return print(commandPage(command.help, terminal), terminal)
  return run(name, command, args, terminal)
}

async function run(name: string, command: Command, args: string[], terminal: Terminal): Promise<number> {
  try {
    return await command.run(args, terminal)
  } catch (error) {
    const { code, lines } = faultOf({ name, command, args, error })
    for (const line of lines) terminal.note(line)
    return code
  }
}

async function help(args: string[], terminal: Terminal): Promise<number> {
  const json = args.includes('json')
  const [topic] = args.filter((each) => !each.startsWith('-') && each !== 'json')
  if (topic === undefined) return print(overview(json, terminal), terminal)
  if (!Object.hasOwn(commands, topic)) return unknown(topic, terminal)
  const command = await commands[topic]!.load()
  return print(json ? [JSON.stringify(command.help, null, 2)] : commandPage(command.help, terminal), terminal)
}

function unknown(name: string, terminal: Terminal): number {
  terminal.note(`there is no command ${name}${didYouMean(name, Object.keys(commands))}; see: driveaway help`)
  return 2
}

function print(lines: readonly string[], terminal: Terminal): number {
  for (const line of lines) terminal.write(line)
  return 0
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
