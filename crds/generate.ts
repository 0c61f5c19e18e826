import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputs } from './outputs.ts'

const root = join(import.meta.dirname, '..')

/** The generated files that are missing or outdated in `folder`. */
export function driftIn(folder: string): string[] {
  return [...outputs()].filter(([path, text]) => read(join(folder, path)) !== text).map(([path]) => path)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function write(): void {
  for (const [path, text] of outputs()) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(path)
  }
}

function check(): void {
  const drifted = driftIn(root)
  for (const path of drifted) console.error(`${path} is not what crds/generate.ts makes; run: node crds/generate.ts`)
  if (drifted.length > 0) process.exitCode = 1
}

if (import.meta.main) {
  if (process.argv.includes('--check')) check()
  else write()
}
