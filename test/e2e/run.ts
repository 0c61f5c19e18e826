import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  /** Where it runs; the repository where none is named. */
  cwd?: string
}

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command to its end and returns what it printed; a failure says the command and its standard error. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await outcomeOf(command, args, options)
  if (code === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${stderr}${stdout}`)
}

/** Runs a command to its end, for one that may well say no. */
export async function outcomeOf(command: string, args: string[], options: RunOptions = {}): Promise<Outcome> {
  const { env, input = '', ...place } = options
  const child = spawn(command, args, { env: { ...process.env, ...env }, ...place })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

/** Does something slow and says so, with the seconds that it took. */
export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  process.stderr.write(`e2e: ${what} …\n`)
  const result = await work()
  process.stderr.write(`e2e: ${what}: ${((performance.now() - since) / 1000).toFixed(0)} s\n`)
  return result
}
