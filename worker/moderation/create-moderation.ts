import { createContentModerator } from './content/create-content-moderator.ts'
import type { Moderation } from './types.ts'

/**
 * The moderation that the worker is deployed with. Pictures cannot be looked at yet, so none is let through.
 */
export function createModeration(): Moderation {
  return {
    content: createContentModerator(),
    images: {
      judge: async () => ({
        accepted: false,
        code: 'NOT_MODERATED',
        message: 'Pictures cannot be moderated yet; upload with moderate_images false to have them stored.',
      }),
    },
  }
}
