import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processIdentity } from './process-identity.ts'

/** What a running stack records on disk, so that `make down` and the next start can find it. */
export interface StackRecord {
  supervisor: string
  /** The address of the pricing API, once a quote has worked. */
  ready: boolean
  children: { name: string; identity: string }[]
}

export function readRecord(path: string): StackRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StackRecord
  } catch {
    return undefined
  }
}

export function writeRecord(path: string, record: StackRecord) {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`)
  renameSync(temporary, path)
}

export function removeRecord(path: string) {
  rmSync(path, { force: true })
}

/** The process id in an identity, if its process still runs. */
export function livePid(identity: string): number | undefined {
  const pid = Number.parseInt(identity, 10)
  return processIdentity(pid) === identity ? pid : undefined
}

/**
 * Sends SIGTERM to the process of that identity, then SIGKILL after `graceMs` milliseconds; returns when it has ended.
 */
export async function end(identity: string, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs
  send(identity, 'SIGTERM')
  while (livePid(identity) !== undefined) {
    if (performance.now() > deadline) send(identity, 'SIGKILL')
    await sleep(50)
  }
}

function send(identity: string, signal: NodeJS.Signals) {
  const pid = livePid(identity)
  if (pid === undefined) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process ended between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Ends the processes that a crashed stack left, the last started first; returns their names. */
export async function endLeftovers(record: StackRecord): Promise<string[]> {
  const left = record.children.filter(({ identity }) => livePid(identity) !== undefined).reverse()
  for (const { identity } of left) await end(identity, 5_000)
  return left.map(({ name }) => name)
}
