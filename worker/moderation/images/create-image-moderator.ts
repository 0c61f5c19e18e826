import { createTurns } from '#runtime/turns.ts'
import { letOthersRun } from '../let-others-run.ts'
import type { ImageModerator, ImageRequest, ImageVerdict } from '../types.ts'
import { isIndecent, type Classifier } from './classifier.ts'
import type { DecodeLimits } from './decode-image.ts'
import { createFailingSources, type FailingSourceLimits } from './failing-sources.ts'
import { createImageFetcher, type FetchLimits } from './fetch-image.ts'
import { fetchPersistently, type Persistence } from './fetch-persistently.ts'
import type { GuardSettings } from './guarded-connector.ts'
import { ImageFault } from './image-fault.ts'
import type { Decoder } from './start-decoder.ts'
import { lookOnce } from './remember-verdicts.ts'

export interface ImageLimits {
  /** Pictures fetched at once; their bytes stay in memory until they have a verdict. */
  pictures: { atOnce: number; ofOneClient: number; ofOneAlone?: number }
  decodesAtOnce: number
  fetch: FetchLimits
  persistence: Persistence
  failing: FailingSourceLimits
  decode: DecodeLimits
}

export interface ImageModerationParts {
  guard: GuardSettings
  decoder: Decoder
  classifier: Classifier
  limits: ImageLimits
}

const SMALLEST_LOGO: DecodeLimits['smallest'] = { longer: 1, shorter: 1 }

/** An image moderator that must be closed; closing it closes its decoder and its classifier. */
export interface ClosableImageModerator extends ImageModerator {
  close(): Promise<void>
}

/** Fetches, decodes and classifies pictures within the limits. */
export function createImageModerator(parts: ImageModerationParts): ClosableImageModerator {
  const { guard, decoder, classifier, limits } = parts
  const fetcher = createImageFetcher(guard, limits.fetch)
  const failing = createFailingSources(limits.failing, () => performance.now())
  const pictures = createTurns(limits.pictures)
  const decodes = createTurns({ atOnce: limits.decodesAtOnce, ofOneClient: limits.decodesAtOnce })
  const once = lookOnce()

  const look = async (image: ImageRequest): Promise<void> => {
    const bytes = await fetchPersistently(image, { fetcher, failing, persistence: limits.persistence })
    const { clientId, signal, isLogo } = image
    const decode = isLogo ? { ...limits.decode, smallest: SMALLEST_LOGO } : limits.decode
    const isRefused = await once(bytes, isLogo ? 'logo' : 'picture', async () => {
      const pixels = await decodes.take(clientId, signal, () => decoder.decode(bytes, decode))
      return isIndecent(await classifier.classify(pixels))
    })
    if (isRefused) throw new ImageFault('INDECENT', 'The picture looks like one that must not be shown.')
  }
  return {
    judge: (image) => pictures.take(image.clientId, image.signal, () => verdictOf(image.signal, () => look(image))),
    close: async () => {
      await fetcher.close()
      await decoder.close()
      await classifier.close()
    },
  }
}

async function verdictOf(signal: AbortSignal, look: () => Promise<void>): Promise<ImageVerdict> {
  try {
    // Ten thousand pictures that are judged without a wait, such as those whose address is no URL, would run as one.
    await letOthersRun()
    await look()
    signal.throwIfAborted()
    return { accepted: true }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ImageFault)) throw error
    return { accepted: false, code: error.code, message: error.message, ...(error.mayPass && { isAway: true }) }
  }
}
