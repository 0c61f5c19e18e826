import type { Item } from '#inventory/batch.ts'

/** Why one text of an item must not be shown. */
export interface ContentFault {
  /** JSON pointer from the item, such as `/vehicle/description` or `/vehicle/tags/0/label`. */
  path: string
  /** Stable, in capitals: `PROFANITY`, `CONTACT_DETAILS`, `MARKUP`. */
  code: string
  /** For the uploader: names the finding in at most 200 characters. */
  message: string
  /** Set for a word in a name: the item is stored, and the uploader is told. */
  isFlag?: boolean
}

/** Finds texts of an item that must not be shown. Pure, and bounded in time for any item of up to 2 MB. */
export interface ContentModerator {
  /**
   * An item with a fault that is not a flag is refused. Returns at most 20 such faults and at most 5 flags.
   * `allowedWords` are not profanity in this item, as whole words in any letter case. `json`: the item as text, by which an
   * item that was clean before is recognized.
   */
  check(item: Item, allowedWords?: readonly string[], json?: string): readonly ContentFault[]
  /**
   * The same for an item whose check may take seconds, so that no other work waits for it. Rejects when the signal aborts or the
   * moderator itself is broken; the batch is then tried again. Undefined: such an item is checked as others are.
   */
  checkLong?(item: LongItem): Promise<readonly ContentFault[]>
}

/** An item with long texts, as JSON. */
export interface LongItem {
  json: string
  allowedWords?: readonly string[] | undefined
  /** The client that owns the item: the long items of one client wait for each other. */
  clientId: string
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

/** A picture to judge. */
export interface ImageRequest {
  /** As the uploader sent it: any text, possibly not a URL. */
  src: string
  /** A logo has no smallest size. */
  isLogo?: boolean
  /** The client that owns the picture: fetches are limited per client and in total. */
  clientId: string
  /** The job whose further attempts reuse the verdict; when undefined, the verdict is not kept. */
  jobId?: string
  /** Aborts when the worker stops: the fetch ends, and `judge` rejects with the signal's reason. */
  signal: AbortSignal
}

/** The verdict on one picture. `isAway`: its source did not answer, so the picture itself was not judged. */
export type ImageVerdict =
  | { accepted: true }
  /** `code` is stable, in capitals (`NOT_AN_IMAGE`, `SOURCE_UNAVAILABLE`); `message` is for the uploader. */
  | { accepted: false; code: string; message: string; isAway?: boolean }

/**
 * Fetches, decodes and classifies pictures. Callers submit several pictures at once; the moderator limits concurrency and
 * is fair between clients.
 */
export interface ImageModerator {
  /**
   * The verdict on one picture. Whatever its server does or its bytes contain, there is a verdict in bounded time,
   * retries included. Rejects only when the signal aborts or the moderator itself is broken; the batch is then tried
   * again.
   */
  judge(image: ImageRequest): Promise<ImageVerdict>
}

/** Both kinds of moderation, as the worker uses them. */
export interface Moderation {
  content: ContentModerator
  images: ImageModerator
}
