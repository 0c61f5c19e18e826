import { Resolver } from 'node:dns/promises'
import { createContentModerator } from './content/create-content-moderator.ts'
import { createLongItems } from './content/long-items.ts'
import { warmUp } from './content/warm-up.ts'
import type { Network } from './images/address-policy.ts'
import { createImageModerator } from './images/create-image-moderator.ts'
import { imageLimits } from './images/image-limits.ts'
import { rememberVerdicts } from './images/remember-verdicts.ts'
import { startClassifier } from './images/start-classifier.ts'
import { startDecoder } from './images/start-decoder.ts'
import type { Moderation } from './types.ts'

export interface ModerationSettings {
  /** Networks that are not public, but that pictures may be fetched from. */
  imageAllowedAddresses: readonly Network[]
  imagesAtOnce: number
  imagesOfOneClient: number
}

/** A moderation that must be closed. */
export interface ClosableModeration extends Moderation {
  close(): Promise<void>
}

const CONNECT_MS = 3_000
/**
 * Queries name servers directly: no hosts file, no search domain of the cluster, and no thread blocked by a slow
 * server.
 */
const NAME_SERVER = { timeout: 2_000, tries: 2 }

/** Starts the moderation of the deployed worker; resolves once it can judge pictures, and texts without delay. */
export async function startModeration(settings: ModerationSettings): Promise<ClosableModeration> {
  const { imageAllowedAddresses: allowed, imagesAtOnce: atOnce, imagesOfOneClient: ofOneClient } = settings
  const limits = imageLimits({ atOnce, ofOneClient })
  const [decoder, classifier] = await Promise.all([startDecoder(limits.decodesAtOnce), startClassifier()])
  const guard = { resolver: new Resolver(NAME_SERVER), allowed, connectMs: CONNECT_MS }
  const images = createImageModerator({ guard, decoder, classifier, limits })
  const long = createLongItems()
  const content = createContentModerator()
  warmUp(content)
  return {
    content: { ...content, checkLong: (item) => long.check(item) },
    images: rememberVerdicts(images),
    close: async () => void (await Promise.all([images.close(), long.close()])),
  }
}
