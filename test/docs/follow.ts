import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, looksLike, type Block } from './page.ts'
import type { Shell } from './shell.ts'

/** One command of a page, and what the test adds to it. */
export interface Step {
  /** How the command begins. */
  begins: string
  /** What a person does before it, by the text of the page. */
  before?: () => unknown
  /** In place of the shell: how a person runs what stays in the foreground. */
  by?: (command: string) => Promise<string>
  /** Judges what it printed, beyond what the page says of it. */
  shows?: (output: string, command: string) => unknown
}

const root = join(import.meta.dirname, '../..')

/** A page of this checkout, the shell that it is followed in, and the steps of it that are known. */
export interface Walk {
  page: string
  shell: Pick<Shell, 'run'>
  steps: readonly Step[]
  /** Where the page is, if not here. */
  folder?: string
}

/**
 * Runs every command of every block of shell of a page, as written and in order, and compares what they print with what
 * the page says. A command that is no known step fails, and so does a step that the page does not have.
 */
export async function follow({ page, shell, steps, folder = root }: Walk): Promise<void> {
  const left = [...steps]
  for (const block of blocksOf(readFileSync(join(folder, page), 'utf8'))) {
    const printed = await outputOf(block, { page, shell, left })
    if (block.printed === undefined || looksLike(printed, block.printed)) continue
    throw new Error(`${page}:${block.line} prints\n${printed}\nand not, as the page says,\n${block.printed}`)
  }
  if (left.length > 0) throw new Error(`${page} has no command any more that begins with: ${left[0]!.begins}`)
}

async function outputOf(block: Block, { page, shell, left }: Pick<Walk, 'page' | 'shell'> & { left: Step[] }) {
  let printed = ''
  for (const command of block.commands) {
    const step = left.shift()
    if (!step || !command.startsWith(step.begins))
      throw new Error(`${page}:${block.line} has a command that its test does not know here: ${command}`)
    await step.before?.()
    const output = await (step.by?.(command) ?? shell.run(command))
    await step.shows?.(output, command)
    printed += output
  }
  return printed
}
