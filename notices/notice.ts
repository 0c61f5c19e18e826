import type { FigureChange } from '#rates/diff/figures.ts'

/** What one client is told of one release: the figures that change in the rate sets that it may quote. */
export interface Notice {
  /** SHA-256, hex, of the client, of `changes` and of the announcement that they follow: the same change, told once. */
  digest: string
  /** Name of the ShowroomClient. */
  client: string
  /** Addresses; one message goes to all of them. */
  to: readonly string[]
  /** What the release's place is called, such as `production-apac`. */
  environment: string
  release: string
  /** In the order of their effective dates; of very many, and of very long values, only the first part. */
  changes: readonly FigureChange[]
  /** How many further changes there are, where not all are among `changes`. */
  more?: readonly Omitted[]
}

/** Changes that a notice only counts: those of one pricing code from one day, ISO, on. */
export interface Omitted {
  pricingCode: string
  from: string
  count: number
}
