import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { BundleContent } from '#rates/release/bundle.ts'
import type { InForce } from '#rates/release/in-force.ts'
import { askServer, NotThere, TokenRequired } from './server.ts'

/** A release of the server, and when it was in force; the newest first in a list. */
export interface OfferedRelease {
  release: string
  inForce: readonly InForce[]
}

/** Why a release has no curve, or none yet. */
export interface NoRates {
  why: string
  isLoading?: true
}

/** The releases of the server beside the one that is shown, each loaded when its curve is first drawn. */
export interface OtherReleases {
  /** Empty until the server has said them. */
  readonly offered: readonly OfferedRelease[]
  /** The compiled rates of a release, or why there are none. */
  ratesOf: (release: string) => Snapshot | NoRates
  /** Reads the list, and again what could not be read; after the server has answered. */
  readAgain: () => void
  /** Asks once more for what was read before a worker of the browser could keep it. */
  keepForOffline: () => Promise<void>
}

/** How the releases are read, and who is told. */
export interface ReleaseReader {
  /** The rates that are shown: sets that another release has too are not compiled again. */
  shown: () => Snapshot
  /** What is drawn may differ now. */
  changed: () => void
  /** The server wants another token. */
  refused: (error: TokenRequired) => void
}

/** Releases that stay compiled: one more than a chart can have. */
const MOST_KEPT = 4
const LOADING: NoRates = { why: 'The rates of this release are being loaded.', isLoading: true }

/** The releases of the pricing API. */
export function createReleases(reader: ReleaseReader): OtherReleases {
  return new ServedReleases(reader)
}

class ServedReleases implements OtherReleases {
  offered: readonly OfferedRelease[] = []
  readonly #reader: ReleaseReader
  readonly #known = new Map<string, Snapshot | NoRates>()
  /** Those whose next answer may be another one. */
  readonly #failed = new Set<string>()

  constructor(reader: ReleaseReader) {
    this.#reader = reader
  }

  ratesOf(release: string): Snapshot | NoRates {
    const shown = this.#reader.shown()
    if (release === shown.release) return shown
    if (!isRelease(release)) return { why: `“${release}” is no release: that is sha256: and 64 digits.` }
    const known = this.#known.get(release)
    if (!known) void this.#load(release)
    // Asked for last, forgotten last.
    this.#known.delete(release)
    this.#known.set(release, known ?? LOADING)
    if (this.#known.size > MOST_KEPT) this.#known.delete(this.#known.keys().next().value!)
    return known ?? LOADING
  }

  readAgain(): void {
    void this.#list()
    const failed = [...this.#failed]
    this.#failed.clear()
    for (const release of failed) this.#known.delete(release)
    if (failed.length > 0) this.#reader.changed()
  }

  async keepForOffline(): Promise<void> {
    const drawn = [...this.#known].filter(([, known]) => !isRefused(known))
    // What cannot be read now has been said, or will be.
    await Promise.allSettled(drawn.map(([release]) => askServer(`releases/${release}`)))
  }

  async #list(): Promise<void> {
    try {
      const answer = await askServer('releases.json')
      const { releases } = (await answer.json()) as { releases: OfferedRelease[] }
      if (JSON.stringify(releases) === JSON.stringify(this.offered)) return
      this.offered = releases
      // A release that the server did not have may be in the list now.
      for (const { release } of releases) if (isRefused(this.#known.get(release))) this.#known.delete(release)
      this.#reader.changed()
    } catch (error) {
      if (error instanceof TokenRequired) this.#reader.refused(error)
    }
  }

  async #load(release: string): Promise<void> {
    try {
      this.#known.set(release, await this.#read(release))
    } catch (error) {
      if (error instanceof TokenRequired) this.#reader.refused(error)
      if (!(error instanceof NotThere)) this.#failed.add(release)
      this.#known.set(release, { why: reasonOf(error as Error) })
    }
    this.#reader.changed()
  }

  async #read(release: string): Promise<Snapshot> {
    const answer = await askServer(`releases/${release}`)
    const content = (await answer.json()) as BundleContent
    if (content.release !== release) throw new Error('The server sent another release.')
    const sets = content.sets.map(({ entry: { name, digest, imports }, spec }) => ({ name, digest, imports, spec }))
    return buildSnapshot({ release, sets }, this.#reader.shown())
  }
}

const isRefused = (known: Snapshot | NoRates | undefined) => known !== undefined && 'why' in known && !known.isLoading

const isRelease = (text: string) => /^sha256:[0-9a-f]{64}$/.test(text)

const reasonOf = ({ message }: Error): string => message.replace(/sha256:([0-9a-f]{12})[0-9a-f]{52}/g, '$1…')

/** Names a release by when it was first in force, on the reader's clock; by its first digits where that does not tell it. */
export function releaseName(release: string, offered: readonly OfferedRelease[]): string {
  const digits = release.replace('sha256:', '').slice(0, 12)
  const time = firstSince(offered.find((each) => each.release === release))
  if (time === undefined) return `Release ${digits}`
  const isShared = offered.some((each) => each.release !== release && firstSince(each) === time)
  return isShared ? `Release of ${time} (${digits})` : `Release of ${time}`
}

function firstSince(offered: OfferedRelease | undefined): string | undefined {
  const since = offered?.inForce[0]?.since
  return since === undefined ? undefined : times.format(new Date(since))
}

const times = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeStyle: 'short' })
