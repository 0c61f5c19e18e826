import type { FigureChange } from '#rates/diff/figure-change.ts'

/** The notice of one release to one client: the changed figures of the rate sets that the client may quote. */
export interface Notice {
  /**
   * SHA-256, in hex, of the client, of `changes` and of the two announcements that were compared; a retry gives the
   * same digest, so that the client gets the notice once.
   */
  digest: string
  /** Name of the ShowroomClient. */
  client: string
  /** uid of the ShowroomClient; absent in a preview. */
  uid?: string
  /** The digests of the rate sets in this notice, by pricing code; the notice is valid while they are unchanged. */
  states?: Readonly<Record<string, string>>
  /** Display name of the client. */
  displayName?: string
  /** Names of pricing codes for readers: `Victoria` for `AU_VIC`. */
  names?: Readonly<Record<string, string>>
  /** The last day of the published rates by pricing code, ISO. */
  lastDays?: Readonly<Record<string, string>>
  /** The name of the environment that released the rates, such as `production-apac`. */
  environment: string
  release: string
  /** Number of its announcement; absent in a preview. */
  number?: number
  /** When it was written, ISO. */
  issuedAt?: string
  /** The notice that it replaces, which the client may have received. */
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
  /** Whether one of them corrects past days. */
  correction?: boolean
}

/** Whether a stored value is a notice. */
export const isNotice = (value: Partial<Notice>): value is Notice =>
  typeof value.digest === 'string' && typeof value.client === 'string' && Array.isArray(value.changes)
