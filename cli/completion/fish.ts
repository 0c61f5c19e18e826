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
    ...options.map((option) => `complete -c driveaway ${when} ${optionWords(option)}`),
  ]
}

function optionWords(option: CompletedOption): string {
  const { name, short, about, takesValue } = option
  const flags = `-l ${name}${short ? ` -s ${short}` : ''}`
  return `${flags} ${takesValue ? `-r ${completionOf(option)} ` : ''}-d ${quoted(about)}`
}

function completionOf({ choices, path }: Expected): string {
  if (choices) return `-f -a ${quoted(choices.join(' '))}`
  if (path === 'folder') return `-f -a '(__fish_complete_directories (commandline -ct))'`
  return path === 'file' ? '-F' : '-f'
}

const quoted = (text: string) => `'${text.replace(/['\\]/g, (mark) => `\\${mark}`)}'`
