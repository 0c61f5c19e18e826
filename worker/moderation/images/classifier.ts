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

/** What the authors of the model take for sure, and more than the quarter of a doubt that vehicles ever gave. */
const EXPLICIT = 0.6
const SUGGESTIVE = 0.85

/** Whether a picture may not be shown beside a vehicle. */
export function isIndecent({ hentai, porn, sexy }: Scores): boolean {
  return hentai + porn >= EXPLICIT || sexy >= SUGGESTIVE
}
