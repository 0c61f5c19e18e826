import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { BundleContent } from '#rates/release/bundle.ts'
import type { InForce } from '#rates/release/in-force.ts'
import { createLoads } from './loads.ts'
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
  /** A view was drawn: releases that it did not ask for are not loaded any more. */
  drawn: () => void
  /**
   * Reads the list; after the server has answered. What could not be read is read again where it waited for a token, or
   * where the server `isBack`.
   */
  readAgain: (isBack: boolean) => void
  /** Asks once more for what was read before a worker of the browser could keep it, or for another token. */
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

/** Milliseconds before what failed is read again: the first time, and at most. */
const [SOON_MS, LATE_MS] = [5000, 300_000]

/** A release that has no rates: it is not there, it cannot be used, or it could not be read. */
interface Refused extends NoRates {
  because: 'absent' | 'unusable' | 'failed'
}

/** The next time for a release that could not be read; without a timer, it waits for a token. */
interface Retry {
  waitMs: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** The releases of the pricing API. */
export function createReleases(reader: ReleaseReader): OtherReleases {
  return new ServedReleases(reader)
}

class ServedReleases implements OtherReleases {
  offered: readonly OfferedRelease[] = []
  readonly #reader: ReleaseReader
  readonly #loads = createLoads()
  readonly #known = new Map<string, Snapshot | NoRates | Refused>()
  readonly #retries = new Map<string, Retry>()
  /** Those that the view asked for since the last one was drawn. */
  readonly #asked = new Set<string>()
  /** Those that were being loaded when a worker could keep them. */
  readonly #keptLater = new Set<string>()
  #isListing = false

  constructor(reader: ReleaseReader) {
    this.#reader = reader
  }

  ratesOf(release: string): Snapshot | NoRates {
    const shown = this.#reader.shown()
    if (release === shown.release) return shown
    if (!isRelease(release)) return { why: `“${release}” is no release: that is sha256: and 64 digits.` }
    this.#asked.add(release)
    const known = this.#known.get(release)
    if (!known) this.#load(release)
    // Asked for last, forgotten last.
    this.#known.delete(release)
    this.#known.set(release, known ?? LOADING)
    if (this.#known.size > MOST_KEPT) this.#forget(this.#known.keys().next().value!)
    return known ?? LOADING
  }

  drawn(): void {
    const ended = this.#loads.keepOnly(this.#asked)
    // Whoever chooses a release again wants it to be read again.
    for (const release of [...ended, ...this.#retries.keys()]) if (!this.#asked.has(release)) this.#forget(release)
    this.#asked.clear()
  }

  readAgain(isBack: boolean): void {
    void this.#list()
    for (const [release, { timer }] of this.#retries) if (isBack || timer === undefined) this.#load(release)
  }

  async keepForOffline(): Promise<void> {
    const known = [...this.#known]
    // A second request beside the first would not be ended with it.
    for (const [release, rates] of known) if (isLoading(rates)) this.#keptLater.add(release)
    // One after another.
    for (const [release, rates] of known) if (!('why' in rates)) await keep(release)
  }

  #forget(release: string): void {
    this.#endRetries(release)
    this.#known.delete(release)
    this.#keptLater.delete(release)
  }

  #endRetries(release: string): void {
    clearTimeout(this.#retries.get(release)?.timer)
    this.#retries.delete(release)
  }

  async #list(): Promise<void> {
    if (this.#isListing) return
    this.#isListing = true
    try {
      const { releases } = (await askServer<{ releases: OfferedRelease[] }>('releases.json')).content
      if (JSON.stringify(releases) === JSON.stringify(this.offered)) return
      this.offered = releases
      // A release that the server did not have may be in the list now.
      for (const { release } of releases) if (isAbsent(this.#known.get(release))) this.#known.delete(release)
      this.#reader.changed()
    } catch (error) {
      if (error instanceof TokenRequired) this.#reader.refused(error)
    } finally {
      this.#isListing = false
    }
  }

  /** Loads a release; why it failed the last time stays until it is known whether it fails again. */
  #load(release: string): void {
    this.#loads.start(release, async (signal) => {
      const found = await this.#read(release, signal).catch((error: Error) => this.#refusalOf(release, error, signal))
      // Nobody waits for it any more.
      if (signal.aborted) return
      const before = this.#known.get(release)
      this.#known.set(release, found)
      if (this.#keptLater.delete(release) && !('why' in found)) void keep(release)
      if (!('because' in found) || found.because !== 'failed') this.#endRetries(release)
      const isSame = before && 'why' in before && 'why' in found && before.why === found.why
      if (!isSame) this.#reader.changed()
    })
  }

  #refusalOf(release: string, error: Error, { aborted }: AbortSignal): Refused {
    if (error instanceof Unusable) return { because: 'unusable', why: `${error.message} ${INSTEAD}` }
    if (error instanceof NotThere) return { because: 'absent', why: `${reasonOf(error)} ${INSTEAD}` }
    if (!aborted) this.#retry(release, error)
    return { because: 'failed', why: error instanceof TokenRequired ? error.message : `${reasonOf(error)} ${AGAIN}` }
  }

  #retry(release: string, error: Error): void {
    const waitMs = Math.min(LATE_MS, 2 * (this.#retries.get(release)?.waitMs ?? SOON_MS / 2))
    clearTimeout(this.#retries.get(release)?.timer)
    if (error instanceof TokenRequired) this.#reader.refused(error)
    const timer = error instanceof TokenRequired ? undefined : setTimeout(() => this.#load(release), waitMs)
    this.#retries.set(release, { waitMs, timer })
  }

  async #read(release: string, signal: AbortSignal): Promise<Snapshot> {
    const { content } = await askServer<BundleContent>(`releases/${release}`, signal)
    if (content.release !== release) throw new Error('The server sent another release.')
    try {
      const sets = content.sets.map(({ entry: { name, digest, imports }, spec }) => ({ name, digest, imports, spec }))
      return buildSnapshot({ release, sets }, this.#reader.shown())
    } catch (error) {
      throw new Unusable(`This release cannot be shown: ${faultOf(error as Error)}.`)
    }
  }
}

/** The rates of a release cannot be priced with, and never will be. */
class Unusable extends Error {}

const INSTEAD = 'Remove its curve, or choose another release.'
const AGAIN = 'The page tries again by itself.'

/** A fault that the compiler names, or that the rates are unknown to it. */
const faultOf = (error: Error): string =>
  error instanceof TypeError ? 'this page does not know the form of its rates' : error.message.replace(/\.$/, '')

const isLoading = (known: Snapshot | NoRates) => 'why' in known && known.isLoading === true

/** Has the worker read a release, and keep it; what cannot be read now has been said, or will be. */
const keep = (release: string) => askServer(`releases/${release}`).catch(() => undefined)

const isAbsent = (known: Snapshot | NoRates | Refused | undefined) =>
  known !== undefined && 'because' in known && known.because === 'absent'

const isRelease = (text: string) => /^sha256:[0-9a-f]{64}$/.test(text)

/** The curve has the name of the release already. */
const reasonOf = ({ message }: Error): string =>
  message.replace(/^Release sha256:[0-9a-f]{64}/, 'This release').replace(/sha256:([0-9a-f]{12})[0-9a-f]{52}/g, '$1…')

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
