import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { driveaway } from './driveaway.ts'
import type { Mistake } from './mistakes.ts'

/** What showed a mistake, and the line that says it. */
export interface Shown {
  by: 'lint' | 'test' | 'diff' | 'nothing'
  line: string
}

/** Rate sets as they are, and a copy in which mistakes are made, below one folder. */
export interface Copies {
  original: string
  copy: string
}

/** Copies the rate sets of some pricing codes, folder by folder, twice. */
export function copyRates(folder: string, codes: readonly string[]): Copies {
  const copies = { original: join(folder, 'original'), copy: join(folder, 'copy') }
  for (const side of Object.values(copies)) {
    mkdirSync(side)
    for (const code of codes) cpSync(join('rates/sets', code), join(side, code), { recursive: true })
  }
  return copies
}

/** Makes a mistake and runs the commands of a change in their order, until one shows it; takes it back afterwards. */
export async function makeMistake(mistake: Mistake, copies: Copies): Promise<Shown> {
  const file = join(copies.copy, mistake.file)
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, edited(before, mistake))
  try {
    return await shown(mistake, copies, file)
  } finally {
    writeFileSync(file, before)
  }
}

function edited(text: string, { what, edits }: Mistake): string {
  return edits.reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`${what}: the file has no ${from}`)
    return done.replace(from, to)
  }, text)
}

async function shown({ file: name, message }: Mistake, { original, copy }: Copies, file: string): Promise<Shown> {
  const lineOf = (output: string) => lineWith(message, output).replaceAll(`${copy}/`, '')
  const lint = await driveaway(['lint', file, '--rates', copy])
  if (lint.status !== 0) return { by: 'lint', line: lineOf(lint.stdout) }
  const test = await driveaway(['test', join('rates/cases', name.split('/')[0]!), '--rates', copy])
  if (test.status !== 0) return { by: 'test', line: lineOf(test.stdout) }
  const diff = await driveaway(['diff', original, copy, '--today', '2026-11-21', '--exit-code'])
  return { by: diff.status === 0 ? 'nothing' : 'diff', line: lineOf(diff.stdout) }
}

/** The line of an output that has some words; the first line where none has. */
function lineWith(words: string, output: string): string {
  const lines = output.split('\n')
  return (lines.find((line) => line.includes(words)) ?? lines[0] ?? '').trim()
}
