import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

export interface ChildOptions {
  name: string
  command: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  logFile: string
  /** When it aborts, the process is stopped. */
  signal?: AbortSignal
}

export interface Child {
  name: string
  pid: number
  /** Resolves when the process has ended, with its exit code or signal; never rejects. */
  exited: Promise<string>
  /** Sends SIGTERM, then SIGKILL if the process still runs after `graceMs` milliseconds (default 10,000). */
  stop(graceMs?: number): Promise<void>
  kill(signal: NodeJS.Signals): void
}

const running = new Set<ChildProcess>()
let guarded = false

/** Starts a program that writes to its own log file and does not outlive this process. */
export async function startChild(options: ChildOptions): Promise<Child> {
  guard()
  const log = openSync(options.logFile, 'a')
  // A separate process group: Ctrl-C in the terminal must reach only this program, which stops the others in order.
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env ?? { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? 0}`))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  running.add(child)
  void exited.then(() => running.delete(child))
  const started = handle(options.name, child, exited)
  if (options.signal?.aborted) await started.stop()
  options.signal?.addEventListener('abort', () => void started.stop(), { once: true })
  return started
}

function handle(name: string, child: ChildProcess, exited: Promise<string>): Child {
  return {
    name,
    pid: child.pid ?? 0,
    exited,
    kill: (signal) => void child.kill(signal),
    stop: async (graceMs = 10_000) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await exited
      clearTimeout(timer)
    },
  }
}

function guard() {
  if (guarded) return
  guarded = true
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
  // Without a listener a signal ends the process without an 'exit' event; if there is another listener, that one
  // decides.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(1)
    })
  }
}

/** The last lines of a log file, for an error message. */
export function tailOf(logFile: string, lines = 15): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  } catch {
    return ''
  }
}

/** Waits for `ready`. Fails at once, with the end of the log, if the child ends first. */
export async function readyOrGone<T>(
  child: Child,
  logFile: string,
  ready: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  const gone = child.exited.then((how) => {
    abort.abort()
    throw new Error(`${child.name} ended with ${how} before it was ready:\n${tailOf(logFile)}`)
  })
  gone.catch(() => undefined)
  try {
    return await Promise.race([gone, ready(abort.signal)])
  } catch (error) {
    // Read before the stop, which ends the child as well: the child's own end explains more than an abort error.
    const ended = abort.signal.aborted
    await child.stop(2_000)
    throw ended ? await gone.catch((reason: unknown) => reason) : error
  }
}
