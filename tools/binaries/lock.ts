import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while this process holds the lock file. A lock whose process has ended is taken over. Calls `onWait` once
 * with the process id of the holder. Two processes may both take over the same stale lock, so `work` must be safe to do
 * twice.
 */
export async function withLock<T>(path: string, onWait: (holder: number) => void, work: () => Promise<T>): Promise<T> {
  let waited = false
  while (!take(path)) {
    const holder = holderOf(path)
    if (holder === undefined || !isAlive(holder)) {
      rmSync(path, { force: true })
      continue
    }
    if (!waited) onWait(holder)
    waited = true
    await sleep(500)
  }
  try {
    return await work()
  } finally {
    if (holderOf(path) === process.pid) rmSync(path, { force: true })
  }
}

function take(path: string): boolean {
  const mine = `${path}.${process.pid}`
  // A link appears together with its content; a file created by open() is empty at first.
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

function holderOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
