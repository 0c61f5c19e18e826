import { parseArgs } from 'node:util'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { completedCommands } from './completion/words.ts'
import { zshScript } from './completion/zsh.ts'
import { WrongCall, type Help } from './help.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['completion bash|zsh|fish'],
  about:
    'Prints a script by which a shell completes the commands, their options, the words that an option takes, files and folders. The script is made of the same list of commands and options by which the command line is read. It does not start driveaway while you type.',
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/driveaway', 'for bash with bash-completion'],
    ['completion zsh > "${fpath[1]}/_driveaway"', 'for zsh, before compinit runs'],
    ['completion fish > ~/.config/fish/completions/driveaway.fish', 'for fish'],
  ],
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

export const options = {} as const

export const operands = { choices: Object.keys(SCRIPTS) } as const

/** Prints the completion script of a shell. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options })
  const [shell, ...more] = positionals
  if (shell === undefined || more.length > 0) throw new WrongCall('one shell is expected: bash, zsh or fish')
  if (!isShell(shell))
    throw new WrongCall(`there is no completion for ${shell}${didYouMean(shell, Object.keys(SCRIPTS))}`)
  terminal.write(SCRIPTS[shell](await completedCommands()))
  return 0
}

const isShell = (shell: string): shell is keyof typeof SCRIPTS => Object.hasOwn(SCRIPTS, shell)
