import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { livePid, end, readRecord } from './record.ts'
import { environmentPath, prepare, recordPath, recover, runningStack, type Say } from './run.ts'
import { logDirectory, readPorts, root } from './settings.ts'

const logFile = join(logDirectory, 'stack.log')

/** Starts the stack in the background and returns once a quote works; the output until then is repeated here. */
export async function up(say: Say): Promise<void> {
  const other = runningStack()
  if (other !== undefined)
    return say(`Up already (pid ${other}); addresses in ${environmentPath}. "make down" stops it.`)
  // Called here too, so that a port in use is reported before the servers start.
  await prepare(readPorts(process.env), say)
  const child = launchInBackground()
  const interrupt = () => void child.kill('SIGTERM')
  process.on('SIGINT', interrupt)
  const exit = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
  const repeat = follower(logFile, say)
  let gone = false
  while (!gone && !readRecord(recordPath)?.ready) {
    gone = (await Promise.race([exit, sleep(200)])) ?? false
    repeat()
  }
  repeat()
  process.off('SIGINT', interrupt)
  if (gone) throw new Error(`The stack did not come up; see ${logFile}`)
  child.unref()
  say('Up. "make down" stops it.')
}

function launchInBackground() {
  mkdirSync(logDirectory, { recursive: true })
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, [join(root, 'tools/stack/main.ts'), 'run'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

function follower(path: string, say: Say): () => void {
  let shown = 0
  return () => {
    const text = readFileSync(path, 'utf8')
    const complete = text.slice(shown, text.lastIndexOf('\n') + 1)
    shown += complete.length
    if (complete) say(complete.trimEnd())
  }
}

/** Stops the stack of this checkout, wherever it was started, and returns once no process of it is left. */
export async function down(say: Say): Promise<void> {
  const record = readRecord(recordPath)
  if (!record) return say('Nothing is up.')
  if (livePid(record.supervisor) !== undefined) await end(record.supervisor, 95_000)
  // After a crash the supervisor is gone, but its children are not.
  await recover(say)
  say('Down.')
}
