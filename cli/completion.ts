import { parseArgs } from 'node:util'
import type { Command, Commands } from './command.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { completedCommands } from './completion/words.ts'
import { zshScript } from './completion/zsh.ts'
import { WrongCall, type Help } from './help.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Terminal } from './terminal.ts'

const help: Help = {
  usage: ['completion bash|zsh|fish'],
  about:
    'Prints a script with which a shell completes commands, options, values of options, files and folders. The script is generated from the definitions that also parse the command line. It does not start driveaway while you type.',
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/driveaway', 'for bash with bash-completion'],
    ['completion zsh > "${fpath[1]}/_driveaway"', 'for zsh, before compinit runs'],
    ['completion fish > ~/.config/fish/completions/driveaway.fish', 'for fish'],
  ],
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

const options = {} as const

const operands = { choices: Object.keys(SCRIPTS) } as const

/** The command that prints a completion script for a list of commands, which includes itself. */
export const completionOf = (commands: Commands): Command => ({
  help,
  options,
  operands,
  run: (args, terminal) => print(commands, args, terminal),
})

async function print(commands: Commands, args: string[], terminal: Terminal): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options })
  const [shell, ...more] = positionals
  if (shell === undefined || more.length > 0) throw new WrongCall('expected one shell: bash, zsh or fish')
  if (!isShell(shell))
    throw new WrongCall(`there is no completion for ${shell}${meant(shell)}; expected bash, zsh or fish`)
  terminal.write(SCRIPTS[shell](await completedCommands(commands)))
  return 0
}

/** Other shells, which nobody names by a slip for a supported one, so no suggestion is made. */
const OTHERS = ['ash', 'csh', 'dash', 'ksh', 'mksh', 'sh', 'tcsh']

const meant = (shell: string): string => (OTHERS.includes(shell) ? '' : didYouMean(shell, Object.keys(SCRIPTS)))

const isShell = (shell: string): shell is keyof typeof SCRIPTS => Object.hasOwn(SCRIPTS, shell)
