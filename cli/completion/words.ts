import type { Commands } from '../command.ts'
import type { Help } from '../help.ts'
import type { Expected, Options } from '../options.ts'

/** What a shell can complete for one command. */
export interface CompletedCommand {
  name: string
  about: string
  operands: Expected
  options: CompletedOption[]
}

/** One option: its flags, such as `--file` and `-f`, and its value; a switch has no value. */
export interface CompletedOption extends Expected {
  name: string
  short?: string
  about: string
  takesValue: boolean
  /** The meanings of those `choices` that help explains one by one. */
  meanings?: ReadonlyMap<string, string>
}

/** All commands with their options, from the list that the command line itself uses, and `help`. */
export async function completedCommands(commands: Commands): Promise<CompletedCommand[]> {
  const listed = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { help, options, operands = {} } = await load()
      const known = Object.entries(options).map(([name, option]) => completed(name, option, help.options ?? []))
      const helpOption = { name: 'help', short: 'h', about: 'how to call the command', takesValue: false }
      return { name, about: summary, operands, options: [...known, helpOption] }
    }),
  )
  const names = listed.map(({ name }) => name)
  const help = { name: 'help', about: 'how to call a command', operands: { choices: names }, options: [] }
  return [...listed, help]
}

function completed(
  name: string,
  { type, short, choices, path }: Options[string],
  lines: NonNullable<Help['options']>,
): CompletedOption {
  const own = lines.filter(([flags]) => longName(flags) === name)
  const wordOf = (flags: string) => choices?.find((choice) => flags.endsWith(` ${choice}`))
  // A line such as `--format sarif` explains the value, not the option.
  const meanings = own.flatMap(([flags, meaning]): [string, string][] => {
    const word = wordOf(flags)
    return word === undefined ? [] : [[word, meaning]]
  })
  const about = own.find(([flags]) => wordOf(flags) === undefined)?.[1] ?? (choices ? 'the format of the result' : name)
  return { name, about, takesValue: type === 'string', short, choices, path, meanings: new Map(meanings) }
}

/** Returns `rates` for `--rates DIR`, and `file` for `-f, --file FILE`. */
const longName = (flags: string): string => /--([a-z-]+)/.exec(flags)?.[1] ?? ''

export const flagsOf = ({ name, short }: CompletedOption): string[] => [`--${name}`, ...(short ? [`-${short}`] : [])]
