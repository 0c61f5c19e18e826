import type { Expected } from '../options.ts'
import type { CompletedCommand, CompletedOption } from './words.ts'

/** A script for zsh: source it after compinit, or store it as a file _driveaway in a folder of fpath. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef driveaway
# Completion of driveaway for zsh. In ~/.zshrc, after compinit: source <(driveaway completion zsh)
_driveaway() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${about}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _driveaway ]]; then _driveaway "$@"; else compdef _driveaway driveaway; fi`
}

function commandCase({ name, operands, options }: CompletedCommand): string {
  const specs = [...options.flatMap(optionSpecs), ...(hasAny(operands) ? [`*:${name}:${action(operands)}`] : [])]
  return `    ${name}) _arguments ${specs.map(quoted).join(' ')} ;;`
}

function optionSpecs(option: CompletedOption): string[] {
  const { name, short, about, takesValue } = option
  const told = `[${about.replace(/[[\]:\\]/g, (mark) => `\\${mark}`)}]`
  const value = takesValue ? `:${name}:${action(option)}` : ''
  // `=` after a long option: its value follows a space or an equals sign.
  return [`*--${name}${takesValue ? '=' : ''}${told}${value}`, ...(short ? [`*-${short}${told}${value}`] : [])]
}

const hasAny = ({ choices, path }: Expected) => choices !== undefined || path !== undefined

function action({ choices, path }: Expected): string {
  if (choices) return `(${choices.join(' ')})`
  return path === undefined ? ' ' : path === 'folder' ? '_files -/' : '_files'
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
