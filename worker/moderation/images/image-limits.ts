import type { ImageLimits } from './create-image-moderator.ts'

/** Pictures of a client that are fetched at once while no other client has any: half of the places are free when one comes. */
export const picturesOfOneAlone = ({ atOnce, ofOneClient }: ImagePlaces): number =>
  Math.max(ofOneClient, Math.floor(atOnce / 2))

type ImagePlaces = Pick<ImageLimits['pictures'], 'atOnce' | 'ofOneClient'>

/** The limits on pictures; docs/inventory.md states them for uploaders. */
export function imageLimits(places: ImagePlaces): ImageLimits {
  return {
    pictures: { ...places, ofOneAlone: picturesOfOneAlone(places) },
    decodesAtOnce: 2,
    fetch: { mostBytes: 8 * 1024 * 1024, mostRedirects: 3, silenceMs: 5_000, attemptMs: 15_000 },
    persistence: { pausesMs: [500, 2_000], longestMs: 30_000 },
    failing: { failures: 5, restMs: 30_000 },
    decode: { smallest: { longer: 200, shorter: 150 }, mostPixels: 50_000_000, seconds: 10 },
  }
}
