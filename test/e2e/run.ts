import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface RunOptions {
  env?: Record<string, string>
  input?: string
}

/** Runs a command to its end and returns what it printed; a failure says the command and its standard error. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...options.env } })
  child.stdin.end(options.input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (code === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${stderr}${stdout}`)
}

/** Does something slow and says so, with the seconds that it took. */
export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  process.stderr.write(`e2e: ${what} …\n`)
  const result = await work()
  process.stderr.write(`e2e: ${what}: ${((performance.now() - since) / 1000).toFixed(0)} s\n`)
  return result
}
