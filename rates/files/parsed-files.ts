import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { LocatedFault } from './located.ts'
import { locatorOf } from './parse-once.ts'
import { parse, type RateSetFile } from './rate-set-file.ts'

/** What of a parsed file can be written: everything but the positions. */
interface Written {
  name: string
  spec: unknown
  faults: LocatedFault[]
}

/** Parsed files of a folder, kept from one start of a command to the next: to parse YAML takes most of a start. */
export interface ParsedFiles {
  parse: (text: string, file: string) => RateSetFile
  /** Keeps what was parsed until now; a cache folder that cannot be written is no fault. */
  keep: () => void
}

/** The parser itself: what an earlier one made of a text is not used. */
const PARSER = ['document.ts', 'walk-document.ts', 'rate-set-file.ts', 'unquoted.ts', '../engine/grammar/rate-set.ts']

/** The parsed files of a folder, one file below `cache`, by default the cache folder of the user. */
export function parsedFiles(folder: string, cache = cacheFolder()): ParsedFiles {
  const place = join(cache, `${digestOf([resolve(folder)])}.json`)
  const parser = digestOf(PARSER.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')))
  const before = read(place)
  const now: Record<string, Written> = {}
  let isKept = false
  return {
    parse: (text, file) => {
      const key = digestOf([parser, file, text])
      const known = before[key]
      const parsed = known ? { ...known, file, locate: locatorOf(text, file) } : parse(text, file)
      if (!isKept) now[key] = { name: parsed.name, spec: parsed.spec, faults: parsed.faults }
      return parsed
    },
    keep: () => {
      isKept = true
      if (Object.keys(now).some((key) => !(key in before))) write(place, JSON.stringify(now))
    },
  }
}

const cacheFolder = () => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'driveaway')

const digestOf = (texts: readonly string[]) => createHash('sha256').update(JSON.stringify(texts)).digest('hex')

function read(place: string): Record<string, Written> {
  try {
    return JSON.parse(readFileSync(place, 'utf8')) as Record<string, Written>
  } catch {
    return {}
  }
}

function write(place: string, content: string): void {
  try {
    mkdirSync(dirname(place), { recursive: true })
    // Another start at the same time reads the old file or the new one, never a part.
    writeFileSync(`${place}.${process.pid}`, content)
    renameSync(`${place}.${process.pid}`, place)
    removeOld(dirname(place))
  } catch {
    // The next start parses again.
  }
}

const KEPT_MS = 30 * 86_400_000

/** Removes what belongs to folders that nobody has looked at for a month. */
function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const file = join(cache, name)
    if (statSync(file).mtimeMs < Date.now() - KEPT_MS) rmSync(file)
  }
}
