import type { FigureChange } from '#rates/diff/figure-change.ts'

/** What one client is told about one release: the changed figures of the rate sets that it may quote. */
export interface Notice {
  /**
   * SHA-256, in hex, of the client, of `changes` and of the two announcements between which they lie; it identifies a
   * change, so that it is told once.
   */
  digest: string
  /** Name of the ShowroomClient. */
  client: string
  /** uid of the ShowroomClient; absent in a preview. */
  uid?: string
  /**
   * The digest of the rate sets of each pricing code that it mentions; while the digests stay the same, the notice
   * applies.
   */
  states?: Readonly<Record<string, string>>
  /** Display name of the client. */
  displayName?: string
  /** Names of pricing codes for readers: `Victoria` for `AU_VIC`. */
  names?: Readonly<Record<string, string>>
  /** Name of the environment of the release, such as `production-apac`. */
  environment: string
  release: string
  /** Number of its announcement; absent in a preview. */
  number?: number
  /** When it was written, ISO. */
  issuedAt?: string
  /** The notice that it replaces, which somebody may have. */
  replaces?: Replaced
  /**
   * Sorted by effective date; only the first part when there are very many, and only the differing part of very long
   * values. Empty when the notice being replaced was withdrawn.
   */
  changes: readonly FigureChange[]
  /** The number of further changes, when `changes` does not have all of them. */
  more?: readonly Omitted[]
  /** The name of the page with the whole text; absent in a preview, and when the page could not be written. */
  page?: string
}

export interface Replaced {
  number: number
  /** ISO. */
  issuedAt: string
}

/** Changes that a notice only counts: those of one pricing code from one ISO day on. */
export interface Omitted {
  pricingCode: string
  from: string
  count: number
  /** Whether one of them reaches past days. */
  correction?: boolean
}

/** Whether a value that was read is a notice. */
export const isNotice = (value: Partial<Notice>): value is Notice =>
  typeof value.digest === 'string' && typeof value.client === 'string' && Array.isArray(value.changes)
