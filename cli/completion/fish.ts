import type { Expected } from '../options.ts'
import type { CompletedCommand, CompletedOption } from './words.ts'

/** A script for fish: ~/.config/fish/completions/driveaway.fish. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of driveaway for fish: driveaway completion fish > ~/.config/fish/completions/driveaway.fish
function __driveaway_command_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"
end
complete -c driveaway -f
${commands.flatMap(lines).join('\n')}`
}

function lines({ name, about, operands, options }: CompletedCommand): string[] {
  const when = `-n '__driveaway_command_is ${name}'`
  const own = (operands.path ?? operands.choices) ? [`complete -c driveaway ${when} ${completionOf(operands)}`] : []
  return [
    `complete -c driveaway -n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${quoted(about)}`,
    ...own,
    ...options.flatMap(optionWords).map((words) => `complete -c driveaway ${when} ${words}`),
  ]
}

/**
 * One line for the option, and one for each value with a meaning of its own: fish shows the description of a line
 * beside its words.
 */
function optionWords(option: CompletedOption): string[] {
  const { name, short, about, takesValue, choices, meanings = new Map<string, string>() } = option
  const flags = `-l ${name}${short ? ` -s ${short}` : ''}`
  const told = [...meanings].map(([word, meaning]) => `${flags} -r -f -a ${quoted(word)} -d ${quoted(meaning)}`)
  const rest = choices?.filter((word) => !meanings.has(word))
  const value = rest?.length === 0 ? '-f' : completionOf({ ...option, choices: rest })
  return [`${flags} ${takesValue ? `-r ${value} ` : ''}-d ${quoted(about)}`, ...told]
}

function completionOf({ choices, path }: Expected): string {
  if (choices) return `-f -a ${quoted(choices.join(' '))}`
  if (path === 'folder') return `-f -a '(__fish_complete_directories (commandline -ct))'`
  return path === 'file' ? '-F' : '-f'
}

const quoted = (text: string) => `'${text.replace(/['\\]/g, (mark) => `\\${mark}`)}'`
