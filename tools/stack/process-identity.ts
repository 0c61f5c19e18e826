import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * An identity of a running process that stays unique until the machine restarts; undefined when the process has ended.
 * Process ids are reused; an id together with its start time is not.
 */
export function processIdentity(pid: number): string | undefined {
  if (!(pid > 1)) return undefined
  const started = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
  return started && `${pid}@${started}`
}

function startFromProc(pid: number): string | undefined {
  try {
    // The name of the command is in brackets and may contain spaces, so fields are counted after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended; only its parent has not collected it yet.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
