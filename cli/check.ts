import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { describeFault } from '#rates/files/located.ts'
import { readRateSets } from '#rates/files/read.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import type { Terminal } from './terminal.ts'

export const usage = 'driveaway check <files or directories…>   every fault of some rate sets, with file and line'

/** Prints each fault as `file:line:column: path: message`; 0 when there is none, 1 when there is, 2 on a wrong call. */
export function check(args: string[], terminal: Terminal): number {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length === 0) return terminal.misused(usage)
  const files = readRateSets(positionals)
  const faults = checkAll(files)
  for (const fault of faults) terminal.write(describeFault(fault))
  if (faults.length > 0) terminal.note(`${counted(faults.length, 'fault')} in ${counted(files.length, 'rate set')}`)
  else if (files.length === 0) terminal.note('no rate sets found')
  else terminal.write(`${counted(files.length, 'rate set')}, ${counted(exampleCount(files), 'example')}, no faults`)
  return faults.length > 0 || files.length === 0 ? 1 : 0
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const exampleCount = (files: RateSetFile[]) =>
  files.reduce((count, { spec }) => count + ((spec as { examples?: unknown[] }).examples?.length ?? 0), 0)
