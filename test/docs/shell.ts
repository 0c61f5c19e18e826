import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

/** Milliseconds after which a command hangs: no command of a page takes this long on the slowest machine. */
const HANGING = 240_000

export interface Shell {
  /** Runs a command as if it were typed, and gives what it wrote to its standard output; fails where the command does. */
  run(command: string): Promise<string>
  close(): Promise<void>
}

/** The environment of a person's terminal: without what the runner of the tests, make and npm have put there. */
export function terminalEnvironment(additions: Record<string, string> = {}): NodeJS.ProcessEnv {
  const foreign = /^(npm_|VITEST|MAKE|MFLAGS$|NODE_(ENV|OPTIONS|PATH|CHANNEL)|KUBECONFIG$|TEST$|FORCE_COLOR$)/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(own), NO_COLOR: '1', ...additions }
}

/** A shell that keeps its variables and aliases from one command to the next. */
export function startShell(cwd: string, env: NodeJS.ProcessEnv, timeoutMs = HANGING): Shell {
  const bash = spawn('bash', ['--norc', '-O', 'expand_aliases'], { cwd, env, detached: true })
  const written = { out: '', err: '' }
  bash.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
  bash.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()))
  const exited = new Promise<void>((resolve) => bash.once('close', () => resolve()))

  const run = async (command: string): Promise<string> => {
    const mark = randomUUID()
    Object.assign(written, { out: '', err: '' })
    // By eval, so that no command can read the ones after it from the standard input.
    bash.stdin.write(`eval ${quoted(command)} </dev/null; echo "${mark} $?"; echo ${mark} >&2\n`)
    const answer = new RegExp(`^([\\s\\S]*)${mark} (\\d+)\\n$`)
    const found = await until(() => (written.err.endsWith(`${mark}\n`) ? answer.exec(written.out) : null), timeoutMs)
    if (found?.[2] === '0') return found[1] ?? ''
    const how = found ? `ended with ${found[2]}` : `did not end in ${timeoutMs} ms`
    throw new Error(`${command}\n${how}\n${found?.[1] ?? written.out}${written.err.replace(`${mark}\n`, '')}`)
  }
  const close = async () => {
    bash.stdin.end()
    const timer = setTimeout(() => process.kill(-bash.pid!, 'SIGKILL'), 5_000)
    await exited
    clearTimeout(timer)
  }
  return { run, close }
}

async function until<T>(attempt: () => T | null, timeoutMs: number): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = attempt()
    if (found !== null) return found
    if (performance.now() > deadline) return undefined
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
