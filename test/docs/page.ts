import { spawnSync } from 'node:child_process'

/** A fenced block of shell in a page. */
export interface Block {
  /** The number of its first line in the page. */
  line: number
  commands: string[]
  /** What its commands print, where a block of text, JSON or Markdown stands right below it. */
  printed: string | undefined
}

const FENCE = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm
const SHELL = ['sh', 'bash', 'shell']
const OUTPUT = ['text', 'json', 'markdown']

/** The blocks of shell of a page, in order; of a `console` each command by itself, with what stands below it. */
export function blocksOf(page: string): Block[] {
  const fences = [...page.matchAll(FENCE)].map((match) => ({
    ...{ language: match[2] ?? '', text: match[3] ?? '', start: match.index, end: match.index + match[0].length },
  }))
  return fences.flatMap(({ language, text, start, end }, index) => {
    const line = page.slice(0, start).split('\n').length + 1
    if (language === 'console') return typedIn(text, line)
    if (!SHELL.includes(language)) return []
    const next = fences[index + 1]
    const isRightBelow = next && OUTPUT.includes(next.language) && page.slice(end, next.start).trim() === ''
    return [{ line, commands: commandsOf(text), printed: isRightBelow ? next.text : undefined }]
  })
}

/** What was typed at the prompt `$ ` of a console, and what was printed below. */
function typedIn(console: string, line: number): Block[] {
  return console.split(/^\$ /m).flatMap((entry) => {
    if (entry === '') return []
    const lines = entry.trimEnd().split('\n')
    const length = lines.findIndex((_, index) => isWhole(lines.slice(0, index + 1).join('\n'))) + 1
    return [{ line, commands: [lines.slice(0, length).join('\n')], printed: lines.slice(length).join('\n') }]
  })
}

/** The commands of a block, each whole: a line that the shell could not end there goes on in the next one. */
export function commandsOf(text: string): string[] {
  const commands: string[] = []
  let begun = ''
  for (const line of text.split('\n')) {
    begun += begun === '' ? line.trimStart() : `\n${line}`
    if (!isWhole(begun)) continue
    if (begun !== '' && !begun.startsWith('#')) commands.push(begun)
    begun = ''
  }
  if (begun !== '') throw new Error(`The shell would wait for more after: ${begun}`)
  return commands
}

function isWhole(command: string): boolean {
  return !command.endsWith('\\') && spawnSync('bash', ['-n'], { input: command }).status === 0
}

/** The edits of the blocks of `diff` in a page: in which file or folder, which text, in place of which. */
export function editsOf(page: string): { path: string; from: string; to: string }[] {
  const diffs = [...page.matchAll(FENCE)].filter((match) => match[2] === 'diff')
  return diffs.flatMap(([, , , text = '']) =>
    text.split(/^--- /m).flatMap((part) => {
      const [path = '', ...lines] = part.trimEnd().split('\n')
      const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1).trim())
      const [removed, added] = [of('-'), of('+')]
      return removed.map((from, index) => ({ path, from, to: added[index] ?? '' }))
    }),
  )
}

/** The blocks of a page whose first line is a comment that is the name of a file: the names, and what they hold. */
export function filesOf(page: string): { name: string; text: string }[] {
  return [...page.matchAll(FENCE)].flatMap(([, , , text = '']) => {
    const name = /^(?:#|\/\/) ([\w-]+\.\w+)\n/.exec(text)?.[1]
    return name === undefined ? [] : [{ name, text }]
  })
}

/** Whether an output is what a page prints: `…` stands for what differs from run to run, alone in a line for any lines. */
export function looksLike(output: string, printed: string): boolean {
  const lines = evened(printed).split('\n')
  const pattern = lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${escaped(line)}\\n`)).join('')
  return new RegExp(`^${pattern}$`).test(`${evened(output)}\n`)
}

/** Widths of columns follow from what stands in them. */
const evened = (text: string) =>
  text
    .replaceAll(/(?<=\S) {2,}/g, ' ')
    .replaceAll(/ +$/gm, '')
    .trim()

const escaped = (line: string) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')
