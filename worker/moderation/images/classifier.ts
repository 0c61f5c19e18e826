import type { Pixels } from './picture-size.ts'

/** How much a picture is like each class, from 0 to 1; together 1. */
export interface Scores {
  drawing: number
  hentai: number
  neutral: number
  porn: number
  sexy: number
}

/** Says what is on a picture. */
export interface Classifier {
  /** Rejects when the classifier is broken, which says nothing of the picture. */
  classify(pixels: Pixels): Promise<Scores>
  close(): Promise<void>
}

/** The model has no threshold of its own; made pictures of anything else stay below 0.06 (docs/decisions/0014). */
const EXPLICIT = 0.6
const SUGGESTIVE = 0.85

/** Whether a picture may not be shown beside a vehicle. */
export function isIndecent({ hentai, porn, sexy }: Scores): boolean {
  return hentai + porn >= EXPLICIT || sexy >= SUGGESTIVE
}
