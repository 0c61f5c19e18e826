import { readFileSync } from 'node:fs'

/** Linux counts in these whatever the machine (sysconf(_SC_CLK_TCK), proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100

/** Seconds of processor time that these processes have taken, by their pids; NaN on systems without /proc. */
export function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS_PER_SECOND
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, second, may hold blanks and brackets; utime and stime are the 14th and the 15th.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11)
    return Number(utime) + Number(stime)
  } catch {
    return NaN
  }
}
