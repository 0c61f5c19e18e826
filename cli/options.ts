/** What may follow an option or be an operand, for shell completion and for checks. */
export interface Expected {
  /** The only accepted words. */
  choices?: readonly string[]
  path?: 'file' | 'folder'
}

/** One option in the form that `parseArgs` takes, and its values. */
export interface Option extends Expected {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  default?: string | boolean | string[]
}

export type Options = Readonly<Record<string, Option>>

/** `--output`, which every command that prints data has. */
export const OUTPUT = { type: 'string', default: 'text', choices: ['text', 'json'] } as const
