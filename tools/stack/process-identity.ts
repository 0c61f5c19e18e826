import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A text that names a running process for as long as the machine is up, or undefined when it is gone. Process ids are
 * used again; an id together with its start time is not.
 */
export function processIdentity(pid: number): string | undefined {
  if (!(pid > 1)) return undefined
  const started = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
  return started && `${pid}@${started}`
}

function startFromProc(pid: number): string | undefined {
  try {
    // The command's name is in brackets and may hold spaces: fields are counted after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie is gone, but for its parent's asking.
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
