import { Counter, type Registry } from 'prom-client'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { inForceAt, timeOf, type InForce } from '#rates/release/in-force.ts'
import { contentText } from '#rates/release/kept-release.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import type { Logger } from '#runtime/log.ts'
import { createGiveWay } from '../load/give-way.ts'
import type { HeldRates } from '../load/held.ts'
import { NO_ARCHIVE, type ReleaseArchive } from './archive.ts'
import type { KeptReleases } from './kept-releases.ts'
import { compileKept, keptSetsOf } from './load-release.ts'
import { createReadSets, type ReadSets } from './read-sets.ts'
import { notReadable, refuse, refuseText, Unusable } from './refusals.ts'
import { isInCluster, isUsable, knownReleases, type KnownRelease } from './timeline.ts'

/** The releases that can be asked for by the two clocks of a request. */
export interface Releases {
  /** The newest first; throws `not_ready` before the cluster and the archive were read. */
  list(rates: HeldRates): KnownRelease[]
  /**
   * The snapshot of a release, or of the release in force at a time; `path` is the JSON pointer of the field that names it.
   * Throws UNKNOWN_RELEASE, `bad_request` or `not_ready`.
   */
  asKnownAt(text: string, rates: HeldRates, path: string): Promise<Snapshot>
  /** When a release was in force, as the cluster and the archive say it; undefined where neither does. */
  inForce(release: string, rates: HeldRates): readonly InForce[] | undefined
  /** The content of a release, canonical JSON; throws as `asKnownAt`. */
  content(release: string, rates: HeldRates, path: string): Promise<string>
}

export interface ReleasesOptions {
  kept: KeptReleases
  /** Absent: there is none. */
  archive?: ReleaseArchive
  log: Pick<Logger, 'error'>
  registry?: Registry
  clock?: Clock
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Who asks: by which rates, and the JSON pointer of the field. */
interface Asking {
  rates: HeldRates
  path: string
}

/** Compiled releases besides the one in use: each takes what its sets differ from that one. */
const MOST_COMPILED = 8
/** Requests for different old releases that may wait for one another. */
const MOST_WAITING = 16

/** Loads old releases one after another, on the first request for each, and keeps the last few. */
export function createReleases(options: ReleasesOptions): Releases {
  return new OldReleases(options)
}

class OldReleases implements Releases {
  readonly #options: ReleasesOptions
  readonly #compiled = new Map<string, Promise<Snapshot>>()
  readonly #loads: Counter<'outcome'>
  readonly #archive: ReleaseArchive
  readonly #setsOf: ReadSets
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(options: ReleasesOptions) {
    this.#options = options
    const help = 'Earlier releases that were read for a request, by outcome.'
    const registers = options.registry ? [options.registry] : []
    this.#loads = new Counter({ name: 'driveaway_old_releases_total', help, labelNames: ['outcome'], registers })
    for (const outcome of ['loaded', 'refused', 'failed']) this.#loads.inc({ outcome }, 0)
    this.#archive = options.archive ?? NO_ARCHIVE
    this.#setsOf = createReadSets({ ...options, archive: this.#archive, loads: this.#loads })
  }

  list(rates: HeldRates): KnownRelease[] {
    if (!this.#archive.list()) throw notReadable('Which releases are in the archive is not known yet; try again.')
    return this.#known(rates)
  }

  /** What is known at this moment: while the archive is being read, perhaps not all. */
  #known({ snapshot: { release }, loadedAt }: HeldRates): KnownRelease[] {
    const kept = this.#options.kept.list()
    if (!kept) throw notReadable('Which releases are kept is not known yet; try again.')
    return knownReleases(kept, this.#archive.list() ?? [], { release, loadedAt })
  }

  async asKnownAt(text: string, rates: HeldRates, path: string): Promise<Snapshot> {
    const { snapshot } = rates
    if (text === snapshot.release) return snapshot
    const known = this.#find(text, rates, path)
    return known.isCurrent ? snapshot : this.#refusing(this.#snapshotOf(known, rates), known, { rates, path })
  }

  inForce(release: string, rates: HeldRates): readonly InForce[] | undefined {
    const known = this.#known(rates).find((each) => each.release === release)
    // Of a release that is nowhere yet, this process knows only when it loaded it.
    return known?.kept || known?.archived ? known.inForce : undefined
  }

  async content(release: string, rates: HeldRates, path: string): Promise<string> {
    const known = this.#find(release, rates, path)
    const { clock = systemClock } = this.#options
    const sets =
      known.isCurrent && !isInCluster(known)
        ? await keptSetsOf(rates.snapshot, createGiveWay(clock))
        : await this.#refusing(this.#setsOf(known), known, { rates, path })
    return contentText(known.release, sets)
  }

  #find(text: string, rates: HeldRates, path: string): KnownRelease {
    const all = this.#known(rates)
    const at = text.startsWith('sha256:') ? undefined : (timeOf(text) ?? refuseText(path))
    if (at !== undefined && at > this.#options.now())
      return refuse(path, `${text} has not come yet: what will be known then is not known.`, all)
    const found = at === undefined ? all.find(({ release }) => release === text) : inForceAt(all, at)
    if (found) return found
    if (!this.#archive.list()) throw notReadable('Which releases are in the archive is not known yet; try again.')
    if (at === undefined) return refuse(path, `Release ${text.slice(0, 80)} is not kept.`, all)
    return refuse(path, `No release that was in force at ${text} is kept.`, all)
  }

  /** One load for all requests that ask for the same release at the same time. */
  #snapshotOf(known: KnownRelease, rates: HeldRates): Promise<Snapshot> {
    const { release } = known
    // What the cluster lacks and no trusted key signs any more is not used, also when it was loaded before.
    const found = isUsable(known) ? this.#compiled.get(release) : undefined
    // Asked for last, forgotten last.
    this.#compiled.delete(release)
    const snapshot = found ?? this.#inTurn(() => this.#compile(known, rates))
    this.#compiled.set(release, snapshot)
    if (!found) snapshot.catch(() => this.#compiled.get(release) === snapshot && this.#compiled.delete(release))
    if (this.#compiled.size > MOST_COMPILED) this.#compiled.delete(this.#compiled.keys().next().value!)
    return snapshot
  }

  async #compile(known: KnownRelease, rates: HeldRates): Promise<Snapshot> {
    const sets = await this.#setsOf(known)
    const giveWay = createGiveWay(this.#options.clock ?? systemClock)
    const snapshot = await compileKept(known.release, sets, rates.snapshot, giveWay)
    this.#loads.inc({ outcome: 'loaded' })
    return snapshot
  }

  /** Loads one release after another, so that requests for many of them cannot take the processor. */
  #inTurn<T>(load: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) throw notReadable('Too many earlier releases are being read; try again.')
    this.#waiting += 1
    const loaded = this.#last.then(load).finally(() => (this.#waiting -= 1))
    this.#last = loaded.catch(() => undefined)
    return loaded
  }

  /** One load may have been waited for by several requests; each is refused at its own field. */
  async #refusing<T>(loaded: Promise<T>, { release }: KnownRelease, { rates, path }: Asking): Promise<T> {
    return loaded.catch((error: unknown) => {
      if (!(error instanceof Unusable)) throw error
      const others = this.#known(rates).filter((each) => each.release !== release)
      return refuse(path, error.message, others)
    })
  }
}
