import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** A page of the authority itself. */
export interface OfficialPage {
  title: string
  url: string
}

/** The sources of a statement. */
export interface Sourced {
  /** Titles, those of the authorities themselves first. */
  sources: readonly string[]
  /** The first page of an authority itself; null when every source is a copy. */
  official: OfficialPage | null
  /** Titles of the sources that are no authority's own. */
  unofficial: readonly string[]
}

/** The titles of some sources of a set, and the official page among them. */
export function sourcesOf(names: readonly string[], { sources }: RateSetSpec): Sourced {
  const found = names.flatMap((name) => sources.find((source) => source.name === name) ?? [])
  const sorted = found.toSorted((a, b) => Number(b.official) - Number(a.official))
  const [first] = sorted
  return {
    sources: sorted.map(({ label }) => label),
    official: first?.official ? { title: first.label, url: first.url } : null,
    unofficial: sorted.flatMap(({ label, official }) => (official ? [] : [label])),
  }
}
