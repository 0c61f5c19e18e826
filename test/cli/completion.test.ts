import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../cli/commands.ts'
import { driveaway } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-completion-'))
const scriptOf = (shell: string) => join(folder, `driveaway.${shell}`)

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(scriptOf(shell), (await driveaway(['completion', shell])).stdout)
  mkdirSync(join(folder, 'here/some sets'), { recursive: true })
  writeFileSync(join(folder, 'here/some request.json'), '{}')
})
afterAll(() => rmSync(folder, { recursive: true }))

const has = (shell: string) => spawnSync(shell, ['-c', ':']).status === 0
const run = (shell: string, args: string[]) =>
  execFileSync(shell, args, { cwd: join(folder, 'here'), encoding: 'utf8', env: { ...process.env, TERM: 'dumb' } })

/** What bash offers for the last word of a line, which is split as bash splits it. */
function inBash(...words: string[]): string[] {
  const call =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _driveaway; printf "%s\\n" "${COMPREPLY[@]}"'
  return run('bash', ['--norc', '-c', call, 'bash', scriptOf('bash'), 'driveaway', ...words])
    .split('\n')
    .filter(Boolean)
}

function inFish(line: string): string[] {
  const call = `source ${scriptOf('fish')}; complete -C ${JSON.stringify(line)}`
  return run('fish', ['--no-config', '-c', call])
    .split('\n')
    .filter(Boolean)
    .map((each) => each.split('\t')[0]!)
}

/** The line after Tab in an interactive zsh of a terminal of its own. */
function inZsh(line: string): string {
  const call = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PS1=; PROMPT_EOL_MARK=; autoload -Uz compinit; compinit -D -u; source ${scriptOf('zsh')}'
    zpty -w shell 'show() { print -r -- "LINE<$BUFFER>" }; zle -N show; bindkey "^X" show; echo REA""DY'
    zpty -r shell text '*READY*'
    zpty -w -n shell $'${line}\\t\\x18'
    zpty -r shell text '*LINE<*>*'
    print -r -- "$text"
    zpty -d shell`
  return /LINE<(.*)>/.exec(run('zsh', ['-f', '-c', call]))?.[1] ?? ''
}

test('bash completes every command and every option of it', async () => {
  expect(inBash('')).toEqual([...Object.keys(commands), 'help'])
  for (const [name, { load }] of Object.entries(commands)) {
    const flags = [...Object.keys((await load()).options), 'help'].map((option) => `--${option}`)
    expect(inBash(name, '--')).toEqual(flags)
  }
})

test('bash completes the words of an option behind a space and behind an equals sign', () => {
  expect(inBash('lint', '--format', 's')).toEqual(['sarif'])
  expect(inBash('lint', '--format', '=', 's')).toEqual(['sarif'])
  expect(inBash('lint', '--format', '=')).toEqual(['text', 'github', 'sarif', 'json'])
  expect(inBash('status', '--context', '')).toEqual([])
})

test('bash completes operands, files and folders, a space in a name too', () => {
  expect(inBash('dead-letters', 'r')).toEqual(['replay'])
  expect(inBash('help', 'new')).toEqual(['new-year'])
  expect(inBash('quote', '-f', 'some').sort()).toEqual(['some request.json', 'some sets'])
  expect(inBash('lint', '--rates', 'some')).toEqual(['some sets'])
})

test.runIf(has('fish'))('fish completes commands, options, words, files and folders', () => {
  expect(inFish('driveaway l')).toEqual(['lint'])
  expect(inFish('driveaway dead-letters ')).toEqual(['list', 'replay'])
  expect(inFish('driveaway lint --fo')).toEqual(['--format'])
  expect(inFish('driveaway lint --format s')).toEqual(['sarif'])
  expect(inFish('driveaway lint --rates some')).toEqual(['some sets/'])
  expect(inFish('driveaway quote -f some').sort()).toEqual(['some request.json', 'some sets/'])
  expect(inFish('driveaway status --context ')).toEqual([])
})

test('a word of an option has its own explanation or none, and the option is not explained by one of them', () => {
  const lines = readFileSync(scriptOf('fish'), 'utf8').split('\n')
  const format = lines.filter((line) => /command_is lint' -l format /.test(line)).map((line) => line.split("lint' ")[1])
  expect(format).toEqual([
    "-l format -r -f -d 'the format of the result'",
    "-l format -r -f -a 'text' -d 'file:line:column, what is wrong, and the line itself (the default)'",
    "-l format -r -f -a 'github' -d 'annotations on a pull request, from a GitHub Actions step'",
    "-l format -r -f -a 'sarif' -d 'SARIF 2.1.0, for code review systems'",
    "-l format -r -f -a 'json' -d 'the same as --output json'",
  ])
  expect(readFileSync(scriptOf('zsh'), 'utf8')).toContain('*--format=[the format of the result]:format:(text github')
})

test.runIf(has('fish'))('fish shows each word of an option with its own explanation', () => {
  const call = `source ${scriptOf('fish')}; complete -C 'driveaway lint --format '`
  expect(run('fish', ['--no-config', '-c', call])).toContain('sarif\tSARIF 2.1.0, for code review systems\n')
})

test.runIf(has('zsh'))('zsh completes commands, options, words and folders', () => {
  expect(inZsh('driveaway cov')).toBe('driveaway coverage ')
  expect(inZsh('driveaway dead-letters re')).toBe('driveaway dead-letters replay ')
  expect(inZsh('driveaway lint --form')).toBe('driveaway lint --format=')
  expect(inZsh('driveaway lint --format=sa')).toBe('driveaway lint --format=sarif ')
  expect(inZsh('driveaway lint --rates some')).toBe('driveaway lint --rates some\\ sets/')
})

test('each option is explained by the help of its command, from where the shells take their words', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { help, options } = await load()
    const explained = (help.options ?? []).map(([flags]) => flags).join('\n')
    const unexplained = Object.keys(options).filter((option) => !explained.includes(`--${option}`))
    expect({ name, unexplained }).toEqual({ name, unexplained: unexplained.filter((option) => option === 'output') })
  }
})

test('a shell that is not known is a wrong call', async () => {
  const { status, stderr } = await driveaway(['completion', 'bsh'])
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('(did you mean bash?)') as string })
})
