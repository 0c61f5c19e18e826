/** What may stand after an option or as an operand: for the completion of shells, and for the checks of words. */
export interface Expected {
  /** The only words that are taken. */
  choices?: readonly string[]
  path?: 'file' | 'folder'
}

/** One option as `parseArgs` reads it, and what it takes. */
export interface Option extends Expected {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  default?: string | boolean | string[]
}

export type Options = Readonly<Record<string, Option>>

/** `--output`, which every command that prints data takes. */
export const OUTPUT = { type: 'string', default: 'text', choices: ['text', 'json'] } as const
