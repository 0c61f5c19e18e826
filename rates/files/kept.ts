import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/**
 * What was made of texts, kept on disk from one start of a command to the next. Whatever cannot be read or written is
 * made again, without a word. A file of another user, one that others can write, and one that is not as it was written
 * are not used. Who can write files as this user can change the program too, so nothing protects against that.
 */
export interface Kept {
  /** What was made of this text; undefined when nothing is kept. */
  find: (kind: string, text: string) => unknown
  /** Keeps what was made of a text, unless JSON would change it. */
  keep: (kind: string, text: string, made: object) => void
}

/** The results below a folder, by default the cache folder of the user; nothing is read or written before it is asked. */
export function keptBelow(folder = cacheFolder()): Kept {
  let isWritable = true
  const placeOf = (kind: string, text: string): { key: string; place: string } | undefined => {
    const program = folder === undefined ? undefined : programDigest()
    if (program === undefined) return undefined
    const key = digestOf([program, kind, text])
    return { key, place: join(folder!, `${key}.json`) }
  }
  const find = (kind: string, text: string) => {
    const found = placeOf(kind, text)
    return found && read(found.place, found.key)
  }
  const keep = (kind: string, text: string, made: object) => {
    const found = isWritable ? placeOf(kind, text) : undefined
    if (found) isWritable = write(folder!, found, made)
  }
  return { find, keep }
}

/** Undefined where the user has no home. */
function cacheFolder(): string | undefined {
  try {
    const base = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
    return isAbsolute(base) ? join(base, 'driveaway') : undefined
  } catch {
    return undefined
  }
}

/** Everything that parsing can depend on: a test compares both lists with what the parsers import. */
export const SOURCES = ['checks', 'engine', 'engine/grammar', 'files', 'published']
export const PACKAGES = ['ajv', 'ajv-formats', 'typebox', 'yaml']

let program: { digest: string | undefined } | undefined

/** Of the parser itself: what an earlier one made of a text is not used. Undefined when its sources cannot be read. */
function programDigest(): string | undefined {
  program ??= { digest: digestOfProgram() }
  return program.digest
}

function digestOfProgram(): string | undefined {
  try {
    const files = SOURCES.flatMap((name) => sourcesIn(join(import.meta.dirname, '..', name)))
    const packages = PACKAGES.map((name) => findPackageJSON(name, import.meta.url)!)
    return digestOf([process.version, ...[...files, ...packages].map((file) => readFileSync(file, 'utf8'))])
  } catch {
    return undefined
  }
}

const sourcesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(folder, name))

/** Each text with its length, so that no two lists give the same bytes. */
function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return hash.digest('hex')
}

function read(place: string, key: string): unknown {
  let file: number | undefined
  try {
    // A pipe at this place would be waited for.
    file = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!isOwn(file)) return undefined
    const content = readFileSync(file, 'utf8')
    const end = content.indexOf('\n')
    const made = content.slice(end + 1)
    return content.slice(0, end) === digestOf([key, made]) ? JSON.parse(made) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const WRITABLE_BY_OTHERS = 0o022

function isOwn(file: number): boolean {
  const { uid, mode } = fstatSync(file)
  // Windows has neither.
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0)
}

/** Says whether the folder can be written. */
function write(folder: string, { key, place }: { key: string; place: string }, result: object): boolean {
  const made = JSON.stringify(result)
  if (!isDeepStrictEqual(JSON.parse(made), result)) return true
  try {
    makeRoom(folder)
    writeWhole(place, `${digestOf([key, made])}\n${made}`)
    return true
  } catch {
    return false
  }
}

/** Another start at the same time reads the old file or the new one, never a part. */
function writeWhole(place: string, content: string): void {
  const draft = `${place}.${randomUUID()}`
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 })
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Not `recursive`: below `/proc` that tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** The most files that are kept, about 50 MB; a repository of all jurisdictions has 150. */
const MOST = 1_000

/** Makes the folder, and removes the older half of too many files. */
function makeRoom(folder: string): void {
  makeFolder(folder)
  const names = readdirSync(folder)
  if (names.length < MOST) return
  const files = names.map((name) => join(folder, name))
  const ages = files.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  for (const { file } of ages.sort((a, b) => a.at - b.at).slice(0, names.length - MOST / 2))
    rmSync(file, { force: true })
}
