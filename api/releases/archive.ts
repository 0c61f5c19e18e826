import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { mergedPeriods, type InForce } from '#rates/release/in-force.ts'
import type { KeptSet } from '#rates/release/kept-release.ts'
import { ReleaseFault, type ReleaseKey } from '#rates/release/signed.ts'
import { systemClock, type Cancel, type Clock } from '#runtime/clock.ts'
import type { Logger } from '#runtime/log.ts'
import { createBundleVerifier, type BundleVerifier, type Refusal, type Verified } from './verify-bundles.ts'

/** A release in the archive. */
export interface ArchivedRelease {
  release: string
  /** In order; empty where no bundle says it. Of a bundle that was made within such a time, until it was made. */
  inForce: readonly InForce[]
  /** Names of bundles of this release; any of them will do. */
  files: readonly string[]
}

/** A folder of bundles: the releases beyond those that the cluster keeps. */
export interface ReleaseArchive {
  /** In no order; undefined before the folder was read. */
  list(): readonly ArchivedRelease[] | undefined
  /** Verified again. Throws ReleaseFault where every file is at fault, another error where none can be read now. */
  read(archived: ArchivedRelease): Promise<KeptSet[]>
  stop(): Promise<void>
}

/** The public keys that bundles may be signed with, and the environment whose bundles alone are accepted. */
export interface TrustedKeys {
  published: readonly ReleaseKey[]
  environment?: string
}

export interface ArchiveOptions {
  folder: string
  trusted: () => TrustedKeys
  log: Pick<Logger, 'error' | 'info'>
  registry?: Registry
  clock?: Clock
  /** Milliseconds between two looks at the folder: a volume of a network tells no changes. */
  everyMs?: number
  /** Milliseconds after which a folder that does not answer is told of. */
  answerMs?: number
  /** The names in the folder. */
  names?: (folder: string) => Promise<string[]>
  verifier?: BundleVerifier
}

const ANSWER_MS = 30_000

/** Where there is none. */
export const NO_ARCHIVE: ReleaseArchive = { list: () => [], read: async () => [], stop: async () => undefined }

/** Follows a folder of bundles. A file is verified once, and again when it changes, when the keys do, and before use. */
export function followArchive(options: ArchiveOptions): ReleaseArchive {
  return new FolderOfBundles(options)
}

class FolderOfBundles implements ReleaseArchive {
  readonly #options: ArchiveOptions
  readonly #verifier: BundleVerifier
  readonly #files: Gauge<'state'>
  readonly #lastRead: Gauge
  /** By name, size, time and keys. */
  #verified = new Map<string, Verified>()
  #archived: readonly ArchivedRelease[] | undefined
  /** The look that has not ended. */
  #looking: Promise<Map<string, string>> | undefined
  /** Verifications for requests that have not ended, by file and keys. */
  readonly #reading = new Map<string, Promise<Verified>>()
  #cancel: Cancel = () => undefined
  #isStopped = false

  constructor(options: ArchiveOptions) {
    this.#options = options
    this.#verifier = options.verifier ?? createBundleVerifier()
    const registers = options.registry ? [options.registry] : []
    const help = 'Files in the archive of releases: used, or refused because they are no bundles of this environment.'
    this.#files = new Gauge({ name: 'driveaway_archive_files', help, labelNames: ['state'], registers })
    const name = 'driveaway_archive_read_timestamp_seconds'
    this.#lastRead = new Gauge({ name, help: 'When the archive of releases was last read.', registers })
    void this.#follow()
  }

  list(): readonly ArchivedRelease[] | undefined {
    return this.#archived
  }

  stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    return this.#verifier.stop()
  }

  async read({ release, files }: ArchivedRelease): Promise<KeptSet[]> {
    const faults: Refusal[] = []
    for (const name of files) {
      const verified = await this.#setsOf(name)
      if (!('refused' in verified) && verified.release === release) return verified.sets
      faults.push('refused' in verified ? verified : { refused: 'it is of another release', isFault: true })
    }
    const why = files.map((name, at) => `${name}: ${faults[at]?.refused}`).join('; ')
    throw faults.every(({ isFault }) => isFault) ? new ReleaseFault('altered', why) : new Error(why)
  }

  /** One thread for a file, however many requests ask for it: a file that blocks its thread blocks no more of them. */
  #setsOf(name: string): Promise<Verified> {
    const key = JSON.stringify([name, this.#options.trusted()])
    const reading =
      this.#reading.get(key) ??
      this.#verify([name], 'sets')
        .then(([verified]) => verified!)
        .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #follow(): Promise<void> {
    const { log, folder, clock = systemClock, everyMs = 60_000 } = this.#options
    try {
      await this.#look()
      this.#lastRead.set(clock.now().getTime() / 1000)
    } catch (error) {
      log.error({ err: error, folder }, 'could not read the archive of releases; what was read before stays')
    }
    if (!this.#isStopped) this.#cancel = clock.after(everyMs, () => void this.#follow())
  }

  async #look(): Promise<void> {
    const marks = await this.#marksInTime()
    const unknown = [...marks].filter(([, mark]) => !this.#verified.has(mark))
    const verified = await this.#verify(
      unknown.map(([name]) => name),
      'releases',
    )
    for (const [at, [name, mark]] of unknown.entries()) this.#note(name, mark, verified[at]!)
    this.#verified = new Map([...this.#verified].filter(([mark]) => new Set(marks.values()).has(mark)))
    this.#archived = releasesOf(new Map([...marks].map(([name, mark]) => [name, this.#verified.get(mark)])))
    const used = this.#archived.reduce((sum, { files }) => sum + files.length, 0)
    this.#files.set({ state: 'used' }, used)
    this.#files.set({ state: 'refused' }, marks.size - used)
  }

  #note(name: string, mark: string, verified: Verified): void {
    if ('refused' in verified) {
      const said = 'a file of the archive of releases is not used'
      this.#options.log.error({ file: name, because: verified.refused }, said)
    }
    // What could not be read is tried again at the next look.
    if (!('refused' in verified) || verified.isFault) this.#verified.set(mark, verified)
  }

  /** A call to a volume that hangs does not end, and takes one of the few threads of the process: there is one at a time. */
  async #marksInTime(): Promise<Map<string, string>> {
    const { clock = systemClock, answerMs = ANSWER_MS } = this.#options
    this.#looking ??= this.#marks().finally(() => (this.#looking = undefined))
    const { promise: late, reject } = Promise.withResolvers<never>()
    const fault = new Error(`the folder has not answered for ${answerMs / 1000} s`)
    const cancel = clock.after(answerMs, () => reject(fault))
    try {
      return await Promise.race([this.#looking, late])
    } finally {
      cancel()
    }
  }

  /** By name of each bundle, what changes whenever the file may be another one, or may be judged otherwise. */
  async #marks(): Promise<Map<string, string>> {
    const { folder, trusted, names: read = (path) => readdir(path) } = this.#options
    const { published, environment = '' } = trusted()
    const keys = [environment, ...published.map(({ kid, x, signsUntil }) => `${kid} ${x} ${signsUntil}`)].join(',')
    const names = (await read(folder)).filter((name) => /^[^.].*\.bundle$/.test(name)).toSorted()
    const marks = new Map<string, string>()
    for (const name of names) {
      const state = await stateOf(join(folder, name))
      if (state !== undefined) marks.set(name, `${name} ${state} ${keys}`)
    }
    return marks
  }

  #verify(names: readonly string[], what: 'releases' | 'sets'): Promise<Verified[]> {
    const { folder, trusted } = this.#options
    const { published: keys, environment } = trusted()
    const files = names.map((name) => join(folder, name))
    return this.#verifier.verify({ files, keys, what, ...(environment !== undefined && { environment }) })
  }
}

/** What changes with a file; undefined where it is gone. A link to nothing has a state: it is refused by its name. */
async function stateOf(path: string): Promise<string | undefined> {
  const file = await stat(path).catch(() => lstat(path).catch(() => undefined))
  return file && `${file.size} ${file.mtimeMs} ${file.ino}`
}

/** The releases of the files that are bundles, by name; a release may be in several. */
function releasesOf(files: ReadonlyMap<string, Verified | undefined>): ArchivedRelease[] {
  const releases = new Map<string, ArchivedRelease>()
  for (const [name, verified] of files) {
    if (!verified || 'refused' in verified) continue
    const { release, inForce } = verified
    const known = releases.get(release)
    releases.set(release, {
      release,
      inForce: mergedPeriods(known?.inForce ?? [], inForce),
      files: [...(known?.files ?? []), name],
    })
  }
  return [...releases.values()]
}
