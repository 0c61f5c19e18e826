/** Where a command writes: results to the standard output, remarks to the standard error. */
export interface Terminal {
  write: (line: string) => void
  note: (line: string) => void
  /** Says how a command is called; gives the exit code of a wrong call. */
  misused: (usage: string) => number
}

export const terminal: Terminal = {
  write: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  misused: (usage) => {
    process.stderr.write(`usage: ${usage}\n`)
    return 2
  },
}
