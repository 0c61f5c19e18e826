import sharp, { type Metadata } from 'sharp'
import { ImageFault } from './image-fault.ts'
import { formatOf, isSequence } from './picture-format.ts'
import { SIDE, type Pixels } from './picture-size.ts'

export interface DecodeLimits {
  /** Smallest longer and shorter side, in pixels. */
  smallest: { longer: number; shorter: number }
  mostPixels: number
  seconds: number
}

// libvips can read many more formats than a web page shows; only these loaders may read bytes from strangers.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})
// No picture is decoded twice, and the threads serve several pictures at once.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Decodes a whole picture to the pixels that are classified; rejects with an `ImageFault`. A picture made for it may
 * end the process: only `decoder-process.ts` calls this.
 */
export async function decodeImage(bytes: Buffer, limits: DecodeLimits): Promise<Pixels> {
  const format = formatOf(bytes)
  if (!format) throw new ImageFault('NOT_AN_IMAGE', 'The source is not a JPEG, PNG, WebP, AVIF or GIF picture.')
  if (isSequence(bytes, format)) throw animated()
  const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: limits.mostPixels, autoOrient: true })
  checkSize(await image.metadata().catch(asFault), limits)
  const { data } = await image
    .timeout({ seconds: limits.seconds })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(asFault)
  if (data.length !== SIDE * SIDE * 3)
    throw new ImageFault('DAMAGED', 'The colour space of the picture is not supported.')
  return new Uint8Array(data)
}

function checkSize({ width, height, pages }: Metadata, { smallest, mostPixels }: DecodeLimits): void {
  if (pages !== undefined && pages > 1) throw animated()
  if (width * height > mostPixels) {
    throw new ImageFault('TOO_LARGE', `The picture has ${width} x ${height} pixels, more than ${mostPixels}.`)
  }
  if (Math.max(width, height) < smallest.longer || Math.min(width, height) < smallest.shorter) {
    const least = `${smallest.longer} x ${smallest.shorter}`
    throw new ImageFault('TOO_SMALL', `The picture has ${width} x ${height} pixels; expected at least ${least}.`)
  }
}

const animated = (): ImageFault => new ImageFault('ANIMATED', 'The picture is animated; upload a still picture.')

function asFault(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) throw new ImageFault('TOO_LARGE', 'The picture has too many pixels.')
  if (/timeout/i.test(message)) throw new ImageFault('TOO_LARGE', 'The picture takes too long to decode.')
  throw new ImageFault('DAMAGED', 'The picture is damaged or incomplete.')
}
