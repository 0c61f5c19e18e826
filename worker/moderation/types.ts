import type { Item } from '#inventory/batch.ts'

/** Why one text of an item may not be shown. */
export interface ContentFault {
  /** JSON pointer from the item: `/vehicle/description`, `/vehicle/tags/0/label`. */
  path: string
  /** Stable, in capitals: `PROFANITY`, `CONTACT_DETAILS`, `MARKUP`. */
  code: string
  /** For the uploader to read; names what was found, at most 200 characters. */
  message: string
  /** Of a word in a name: the item is stored all the same, and its uploader is told. */
  isFlag?: boolean
}

/** Finds what may not be shown in the texts of an item; pure, and bounded in time for any item of 2 MB. */
export interface ContentModerator {
  /**
   * An item with any fault that is no flag is refused; at most 20 of these are returned, and at most 5 flags.
   * `allowedWords` are no profanity in this item, whole and whatever their case.
   */
  check(item: Item, allowedWords?: readonly string[]): readonly ContentFault[]
}

/** One picture to be judged. */
export interface ImageRequest {
  /** As the uploader sent it: any text, not yet known to be a URL. */
  src: string
  /** A logo may be as small as it likes. */
  isLogo?: boolean
  /** Whose it is: fetches are bounded for each client as well as overall. */
  clientId: string
  /** Whose further attempts keep the verdict; undefined: nobody's. */
  jobId?: string
  /** Aborts when the worker stops: the fetch is given up, and `judge` rejects with the signal's reason. */
  signal: AbortSignal
}

/** What is said of one picture; `isAway`: its source did not answer, so that nothing is known of the picture itself. */
export type ImageVerdict =
  | { accepted: true }
  /** `code` is stable, in capitals (`NOT_AN_IMAGE`, `SOURCE_UNAVAILABLE`); `message` is for the uploader to read. */
  | { accepted: false; code: string; message: string; isAway?: boolean }

/**
 * Fetches, decodes and classifies pictures. All pictures of a batch are asked for at once: bounding what is in flight,
 * and being fair between clients, is the moderator's.
 */
export interface ImageModerator {
  /**
   * The verdict on one picture. Whatever its server or its bytes do is a verdict, given in bounded time, tries again
   * included; rejects only when the signal aborts or the moderator itself is broken, and the batch is then tried again.
   */
  judge(image: ImageRequest): Promise<ImageVerdict>
}

/** Both kinds of moderation, as the worker is given them. */
export interface Moderation {
  content: ContentModerator
  images: ImageModerator
}
