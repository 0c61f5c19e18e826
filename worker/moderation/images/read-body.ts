import { ImageFault } from './image-fault.ts'
import { formatOf, SIGNATURE_BYTES } from './picture-format.ts'

const FIRST_BYTES = 64 * 1024

/**
 * Reads a body of limited size. Stops and so closes the connection at the first byte too many, or once the bytes are
 * known not to be a picture. One growing buffer: a body of one-byte chunks costs no more than any other.
 */
export async function readBody(body: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer> {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, mostBytes))
  let length = 0
  for await (const chunk of body) {
    const isRecognised = length >= SIGNATURE_BYTES
    if (length + chunk.length > mostBytes) throw tooLarge(mostBytes)
    if (length + chunk.length > buffer.length)
      buffer = grown(buffer, { length, needed: length + chunk.length, mostBytes })
    chunk.copy(buffer, length)
    length += chunk.length
    if (!isRecognised && length >= SIGNATURE_BYTES) mustBePicture(buffer)
  }
  const bytes = buffer.subarray(0, length)
  mustBePicture(bytes)
  return bytes
}

/** The fault of a picture that has too many bytes. */
export const tooLarge = (mostBytes: number): ImageFault =>
  new ImageFault('TOO_LARGE', `The picture has more than ${mostBytes} bytes.`)

function mustBePicture(bytes: Buffer): void {
  if (formatOf(bytes)) return
  throw new ImageFault('NOT_AN_IMAGE', 'The source is not a JPEG, PNG, WebP, AVIF or GIF picture.')
}

function grown(
  buffer: Buffer,
  { length, needed, mostBytes }: { length: number; needed: number; mostBytes: number },
): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(mostBytes, Math.max(needed, buffer.length * 2)))
  buffer.copy(larger, 0, 0, length)
  return larger
}
