import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** Where a command writes: results to the standard output, remarks to the standard error. */
export interface Terminal {
  write: (line: string) => void
  note: (line: string) => void
  /** Prints how to call a command; returns the exit code of a wrong call. */
  misused: (usage: string) => number
  /** The text in a style when the standard output is a terminal and NO_COLOR is not set; else the plain text. */
  paint: (style: Style, text: string) => string
  /** Columns of the terminal; 100 without a terminal. */
  columns: number
}

export const terminal: Terminal = {
  write: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  misused: (usage) => {
    process.stderr.write(`usage: ${usage}\n`)
    return 2
  },
  paint: (style, text) => styleText(style, text, { stream: process.stdout }),
  columns: process.stdout.columns ?? 100,
}
