import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { down, up } from './background.ts'
import { newStack, prepare, runningStack, startStack } from './run.ts'
import { readPorts } from './settings.ts'

// A reader that closes the pipe, such as `head`, must not stop the stack.
process.stdout.on('error', () => undefined)

const say = (line: string) => process.stdout.write(`${line}\n`)

async function run() {
  const other = runningStack()
  if (other !== undefined) throw new Error(`A stack runs already (pid ${other}). "make down" stops it.`)
  const ports = readPorts(process.env)
  await prepare(ports, say)
  const stack = newStack(say)
  const steps = [{ name: 'stack', stop: stack.stop }]
  const shutdown = onShutdown(createLog({ name: 'stack', level: 'warn' }), steps, {
    deadlineMs: 90_000,
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
  })
  try {
    await startStack(stack.crew, ports, say)
    if (process.stdout.isTTY) say('\nCtrl-C stops it.')
  } catch (error) {
    // After Ctrl-C the start fails because of the stop; that is not an error.
    if (!stack.crew.isStopping()) {
      process.stderr.write(`\n${messageOf(error)}\n`)
      process.exitCode = 1
    }
    await shutdown.stop('not started')
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const commands: Record<string, () => Promise<void>> = { run, up: () => up(say), down: () => down(say) }
const command = commands[process.argv[2] ?? '']
try {
  if (!command) throw new Error(`Usage: node tools/stack/main.ts ${Object.keys(commands).join(' | ')}`)
  await command()
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
