import { readFileSync } from 'node:fs'

/** Linux uses this unit on every machine (sysconf(_SC_CLK_TCK), proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100

/** Seconds of processor time used by these processes; NaN on systems without /proc. */
export function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS_PER_SECOND
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the name, may contain blanks and brackets; utime and stime are fields 14 and 15.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11)
    return Number(utime) + Number(stime)
  } catch {
    return NaN
  }
}
