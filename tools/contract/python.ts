import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt')

/**
 * The folder of the programs of a virtual environment with the pinned packages, created once. Throws naming what is
 * missing.
 */
export function ensureEnvironment(cache: string, say: (line: string) => void): string {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12)
  const folder = join(cache, `contract-${digest}`)
  const done = join(folder, 'complete')
  if (!existsSync(done)) {
    say('Installing schemathesis (once) ...')
    rmSync(folder, { recursive: true, force: true })
    run('python3', ['-m', 'venv', folder], 'Python 3.10 or later with its module venv is needed (Debian: python3-venv)')
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--requirement', REQUIREMENTS]
    run(join(folder, 'bin/python'), pip, 'the Python packages could not be installed')
    writeFileSync(done, '')
  }
  return join(folder, 'bin')
}

function run(command: string, args: string[], otherwise: string): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${otherwise}: ${command} ${error?.message ?? `ended with ${status}`}`)
}
