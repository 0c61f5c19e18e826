import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, sha256 } from '../published/canonical.ts'
import type { Engine } from './bundle.ts'

const FOLDER = join(import.meta.dirname, '../engine')

let known: Engine | undefined

/** The engine of this process: the version of Driveaway, and the digest of every source file of `rates/engine`. */
export function thisEngine(): Engine {
  return (known ??= Object.freeze({ version: versionOf(), digest: digestOf(sourcesOf()) }))
}

function sourcesOf(): Record<string, string> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return Object.fromEntries(files.map((file) => [file.replaceAll('\\', '/'), sha256(readFileSync(join(FOLDER, file), 'utf8'))]))
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(FOLDER, '../../package.json'), 'utf8')) as { version: string }
  return version
}
