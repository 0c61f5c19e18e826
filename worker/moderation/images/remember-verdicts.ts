import { createHash } from 'node:crypto'
import type { ImageModerator, ImageRequest, ImageVerdict } from '../types.ts'

/** Of the pictures judged last: five batches with the most pictures, in some megabytes. */
const MOST_REMEMBERED = 50_000

/**
 * The same moderator, which judges a picture once for a job: a further attempt at a batch goes on where the last one in
 * this process ended. What is not known yet, because the source was away, is asked again.
 */
export function rememberVerdicts(moderator: ImageModerator): ImageModerator {
  const verdicts = new Map<string, ImageVerdict>()
  return {
    judge: async (image) => {
      if (image.jobId === undefined) return moderator.judge(image)
      const key = keyOf(image)
      const known = verdicts.get(key)
      if (known) return known
      const verdict = await moderator.judge(image)
      if (verdict.accepted || !verdict.isAway) verdicts.set(key, verdict)
      const [oldest] = verdicts.keys()
      if (verdicts.size > MOST_REMEMBERED && oldest !== undefined) verdicts.delete(oldest)
      return verdict
    },
  }
}

/** Hashed, because an address may have 2,048 characters. */
const keyOf = ({ jobId, isLogo, src }: ImageRequest): string =>
  createHash('sha256').update(JSON.stringify([jobId, isLogo, src])).digest('base64')
