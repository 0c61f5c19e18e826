import type { Terminal } from './terminal.ts'

/** The page of `driveaway help <command>`. */
export interface Help {
  /** One line each, without the name `driveaway`. */
  usage: readonly string[]
  /** What the command does and what it reads, in a few sentences. */
  about: string
  options?: readonly (readonly [option: string, meaning: string])[]
  examples?: readonly (readonly [command: string, meaning: string])[]
  /** The meaning of exit codes 0 and 1; 2 and 3 mean the same for every command. */
  exits?: { done: string; refused: string }
}

/** A wrong call; the message says what is wrong. */
export class WrongCall extends Error {}

export const EXIT_CODES = [
  [0, 'done; the answer is yes'],
  [1, 'done; the answer is no: a fault, a failing case, a request that cannot be priced'],
  [2, 'a usage error: an unknown option, a missing path, an unreadable file'],
  [3, 'a server, such as that of a cluster, did not answer or refused the request'],
] as const

/** The page of one command. */
export function commandPage(help: Help, { paint, columns }: Terminal): string[] {
  const title = (text: string) => ['', paint('bold', text)]
  const exits = EXIT_CODES.map(([code, meaning]): [string, string] => {
    const own = code === 0 ? help.exits?.done : code === 1 ? help.exits?.refused : undefined
    return [String(code), own ?? meaning]
  })
  return [
    ...help.usage.map((line, at) => `${at === 0 ? 'usage:' : '      '} ${paint('bold', `driveaway ${line}`)}`),
    '',
    ...wrap(help.about, Math.min(columns, 100)),
    ...(help.options ? [...title('Options'), ...pairs(help.options)] : []),
    ...(help.examples
      ? [...title('Examples'), ...help.examples.flatMap(([call, why]) => [`  # ${why}`, `  driveaway ${call}`])]
      : []),
    ...title('Exit codes'),
    ...pairs(exits),
  ]
}

/** Two columns, the first as wide as its widest entry. */
export function pairs(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** Wraps a text at spaces to a width in columns; newlines are kept. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1)!
      if (last !== '' && last.length + word.length + 1 > columns) lines.push(word)
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
    }
    return lines
  })
}
