import { spawnSync } from 'node:child_process'
import { runCommand } from '../../cli/run-command.ts'

export interface Answer {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs a command here, with what it writes kept: no colour, 100 columns. */
export async function driveaway(args: readonly string[]): Promise<Answer> {
  const out: string[] = []
  const err: string[] = []
  const status = await runCommand([...args], {
    write: (line) => void out.push(`${line}\n`),
    note: (line) => void err.push(`${line}\n`),
    misused: (usage) => (err.push(`usage: ${usage}\n`), 2),
    paint: (_, text) => text,
    columns: 100,
  })
  return { status, stdout: out.join(''), stderr: err.join('') }
}

/** Runs the command in a process of its own, as a shell does. */
export function driveawayProcess(args: readonly string[], { input = '', env = {} } = {}): Answer {
  const main = new URL('../../cli/driveaway.js', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    input,
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
