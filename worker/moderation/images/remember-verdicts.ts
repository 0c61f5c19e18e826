import { createHash, hash } from 'node:crypto'
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

/** Pictures whose bytes are remembered, the latest ones, in 20 megabytes. */
const MOST_BYTES_REMEMBERED = 100_000

/** Whether the bytes of a picture, with what depends on its use, are those of an indecent one. */
export type LookAtBytes = (bytes: Buffer, use: string, look: () => Promise<boolean>) => Promise<boolean>

/**
 * Decodes and classifies a picture once: dealers send the same pictures each day, and one picture of a model with many vehicles. Only
 * what the classifier said is remembered, since a decoder may also fail because the machine is busy.
 */
export function lookOnce(most = MOST_BYTES_REMEMBERED): LookAtBytes {
  const known = new Map<string, boolean>()
  return async (bytes, use, look) => {
    const key = `${use} ${hash('sha256', bytes, 'base64')}`
    const isIndecent = known.get(key) ?? (await look())
    // Set anew, so that what was used last is last.
    known.delete(key)
    known.set(key, isIndecent)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return isIndecent
  }
}
