import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import { isRefusal } from '#runtime/kube/api-error.ts'

/** A release that was in force, with its content. */
export interface ReplacedRelease {
  index: RatesIndex
  specOf: (entry: RateSetEntry) => RateSetSpec | undefined
}

/** Each keeps the content of its release in memory. */
const LIMIT = 20

/**
 * Releases that were replaced and of which it is not known yet that they are kept. A later call keeps what the server does not
 * answer to now; nobody else knows their content by then.
 */
export class ReplacedReleases {
  readonly #releases = new Map<string, ReplacedRelease>()

  get size(): number {
    return this.#releases.size
  }

  add({ index, specOf }: ReplacedRelease): void {
    const specs = new Map(index.sets.map((entry) => [entry.specDigest, specOf(entry)]))
    this.#releases.set(index.release, { index, specOf: ({ specDigest }) => specs.get(specDigest) })
    const [oldest] = this.#releases.keys()
    if (this.#releases.size > LIMIT && oldest !== undefined) this.#releases.delete(oldest)
  }

  /** Keeps all, each by `keep`, and forgets those that are kept or refused; returns what `keep` returned. */
  async keepAll<T>(keep: (replaced: ReplacedRelease) => Promise<T>, onFault: (error: unknown) => void): Promise<T[]> {
    const all = [...this.#releases.values()].map(async (replaced) => {
      try {
        const kept = await keep(replaced)
        this.#releases.delete(replaced.index.release)
        return [kept]
      } catch (error) {
        if (isRefusal(error)) this.#releases.delete(replaced.index.release)
        onFault(error)
        return []
      }
    })
    return (await Promise.all(all)).flat()
  }
}

/** The releases in force of which this process has not stored a copy yet: nobody can have deleted that. */
export class UnstoredReleases {
  readonly #releases = new Set<string>()

  all(): { release: string }[] {
    return [...this.#releases].map((release) => ({ release }))
  }

  /** Notes the release in force, unless it is the one stored last. */
  note(release: string, stored: string): void {
    if (release !== stored) this.#releases.add(release)
    const [oldest] = this.#releases
    if (this.#releases.size > LIMIT + 1 && oldest !== undefined) this.#releases.delete(oldest)
  }

  delete(stored: readonly ({ release: string } | undefined | false | void)[]): void {
    for (const one of stored) if (one) this.#releases.delete(one.release)
  }
}
