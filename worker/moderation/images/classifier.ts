import type { Pixels } from './picture-size.ts'

/** How likely a picture belongs to each class, from 0 to 1; the sum is 1. */
export interface Scores {
  drawing: number
  hentai: number
  neutral: number
  porn: number
  sexy: number
}

/** Classifies pictures. */
export interface Classifier {
  /** Rejects when the classifier is broken; the picture is then not judged. */
  classify(pixels: Pixels): Promise<Scores>
  close(): Promise<void>
}

/** The model has no threshold of its own; generated pictures of other things stay below 0.1 (docs/decisions/0014). */
const EXPLICIT = 0.6
const SUGGESTIVE = 0.85

/** Whether a picture must not be shown beside a vehicle. */
export function isIndecent({ hentai, porn, sexy }: Scores): boolean {
  return hentai + porn >= EXPLICIT || sexy >= SUGGESTIVE
}
