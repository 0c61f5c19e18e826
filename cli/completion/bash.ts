import type { Expected } from '../options.ts'
import { flagsOf, type CompletedCommand } from './words.ts'

/** A script for bash 3.2 and later, without the package bash-completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# Completion of driveaway for bash. In ~/.bashrc: source <(driveaway completion bash)
_driveaway() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words= paths= found
  # bash splits --option=value at the equals sign.
  if [[ $current == '=' ]]; then current=
  elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then words='${names}'
  else
    case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(valueCases).join('\n')}
      *) case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join('\n')}
        esac ;;
    esac
  fi
  COMPREPLY=()
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(
    compgen -W "$words" -- "$current"
    [[ $paths == file ]] && compgen -f -- "$current"
    [[ $paths == folder ]] && compgen -d -- "$current"
  )
  # bash 3.2 has no compopt: there, a folder gets no slash.
  [[ $paths ]] && compopt -o filenames 2>/dev/null
  return 0
}
complete -F _driveaway driveaway`
}

/** The completions after each option that takes a value; for most values none are known. */
function valueCases({ name, options }: CompletedCommand): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const patterns = flagsOf(option).map((flag) => `'${name} ${flag}'`)
      return `      ${patterns.join('|')}) ${[...assigned([], option), ':'].join('; ')} ;;`
    })
}

function commandCase({ name, operands, options }: CompletedCommand): string {
  const flags = options.map((option) => `--${option.name}`)
  return `        ${name}) ${[...assigned(flags, operands), ':'].join('; ')} ;;`
}

function assigned(words: readonly string[], { choices = [], path }: Expected): string[] {
  const all = [...choices, ...words]
  return [...(all.length > 0 ? [`words='${all.join(' ')}'`] : []), ...(path ? [`paths=${path}`] : [])]
}
