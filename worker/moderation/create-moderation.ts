import { Resolver } from 'node:dns/promises'
import { createContentModerator } from './content/create-content-moderator.ts'
import type { Network } from './images/address-policy.ts'
import { createImageModerator } from './images/create-image-moderator.ts'
import { imageLimits } from './images/image-limits.ts'
import { rememberVerdicts } from './images/remember-verdicts.ts'
import { startClassifier } from './images/start-classifier.ts'
import type { Moderation } from './types.ts'

export interface ModerationSettings {
  /** Networks that pictures may be fetched from although they are not public. */
  imageAllowedAddresses: readonly Network[]
  imagesAtOnce: number
  imagesOfOneClient: number
}

/** Moderation that must be closed. */
export interface ClosableModeration extends Moderation {
  close(): Promise<void>
}

const CONNECT_MS = 3_000
/** Asks name servers itself: no hosts file, no search domain of a cluster, and no thread that a slow server keeps. */
const NAME_SERVER = { timeout: 2_000, tries: 2 }

/** The moderation that the worker is deployed with; resolves when the classifier has loaded its model. */
export async function createModeration(settings: ModerationSettings): Promise<ClosableModeration> {
  const { imageAllowedAddresses: allowed, imagesAtOnce: atOnce, imagesOfOneClient: ofOneClient } = settings
  const images = createImageModerator({
    guard: { resolver: new Resolver(NAME_SERVER), allowed, connectMs: CONNECT_MS },
    classifier: await startClassifier(),
    limits: imageLimits({ atOnce, ofOneClient }),
  })
  return { content: createContentModerator(), images: rememberVerdicts(images), close: () => images.close() }
}
