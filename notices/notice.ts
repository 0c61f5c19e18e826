import type { FigureChange } from '#rates/diff/figures.ts'

/** What one client is told of one release: the figures that change in the rate sets that it may quote. */
export interface Notice {
  /** SHA-256, hex, of the client, of `changes` and of the announcements between which they are: the same change, told once. */
  digest: string
  /** Name of the ShowroomClient. */
  client: string
  /** Of the ShowroomClient; absent in a preview. */
  uid?: string
  /** The digest of the rate sets of each pricing code that it speaks of: while they stay, what it says holds. */
  states?: Readonly<Record<string, string>>
  /** What people call the client. */
  displayName?: string
  /** What readers call a pricing code: `Victoria` for `AU_VIC`. */
  names?: Readonly<Record<string, string>>
  /** What the release's place is called, such as `production-apac`. */
  environment: string
  release: string
  /** Of its announcement; absent in a preview. */
  number?: number
  /** ISO; when it was written. */
  issuedAt?: string
  /** The notice that it replaces, which somebody may have. */
  replaces?: Replaced
  /**
   * In the order of their effective dates; of very many, and of very long values, only the first part. None where the
   * notice that is replaced was taken back.
   */
  changes: readonly FigureChange[]
  /** How many further changes there are, where not all are among `changes`. */
  more?: readonly Omitted[]
  /** The name of the page with the whole text; absent in a preview, and where the page could not be written. */
  page?: string
}

export interface Replaced {
  number: number
  /** ISO. */
  issuedAt: string
}

/** Changes that a notice only counts: those of one pricing code from one day, ISO, on. */
export interface Omitted {
  pricingCode: string
  from: string
  count: number
  /** Whether one of them reaches days already past. */
  correction?: boolean
}

/** Whether a value that was read is a notice. */
export const isNotice = (value: Partial<Notice>): value is Notice =>
  typeof value.digest === 'string' && typeof value.client === 'string' && Array.isArray(value.changes)
