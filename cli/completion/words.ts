import type { Commands } from '../command.ts'
import type { Expected } from '../options.ts'

/** What a shell can complete of one command. */
export interface CompletedCommand {
  name: string
  about: string
  operands: Expected
  options: CompletedOption[]
}

/** One option: its flags, such as `--file` and `-f`, and what stands after it; a switch has no value. */
export interface CompletedOption extends Expected {
  name: string
  short?: string
  about: string
  takesValue: boolean
}

/** Every command with its options, from the list that the command line itself is read by; and `help`. */
export async function completedCommands(commands: Commands): Promise<CompletedCommand[]> {
  const listed = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { help, options, operands = {} } = await load()
      const meanings = new Map(help.options?.map(([flags, meaning]) => [longName(flags), meaning]))
      const known = Object.entries(options).map(([option, { type, short, choices, path }]): CompletedOption => {
        const about = meanings.get(option) ?? (option === 'output' ? 'the format of the result' : option)
        return { name: option, about, takesValue: type === 'string', short, choices, path }
      })
      const helpOption = { name: 'help', short: 'h', about: 'how to call the command', takesValue: false }
      return { name, about: summary, operands, options: [...known, helpOption] }
    }),
  )
  const names = listed.map(({ name }) => name)
  const help = { name: 'help', about: 'how to call a command', operands: { choices: names }, options: [] }
  return [...listed, help]
}

/** `rates` of `--rates DIR`, and `file` of `-f, --file FILE`. */
const longName = (flags: string): string => /--([a-z-]+)/.exec(flags)?.[1] ?? ''

export const flagsOf = ({ name, short }: CompletedOption): string[] => [`--${name}`, ...(short ? [`-${short}`] : [])]
