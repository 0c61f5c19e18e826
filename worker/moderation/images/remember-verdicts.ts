import { createHash } from 'node:crypto'
import type { ImageModerator, ImageRequest, ImageVerdict } from '../types.ts'

/** Number of verdicts kept, the latest ones: five batches with the most pictures, a few megabytes. */
const MOST_REMEMBERED = 50_000

/**
 * Judges each picture once per job: a further attempt at a batch continues where the previous one in this process
 * ended. Pictures whose source was away are judged again.
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
  createHash('sha256')
    .update(JSON.stringify([jobId, isLogo, src]))
    .digest('base64')
