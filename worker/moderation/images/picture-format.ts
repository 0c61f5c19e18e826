/** The formats that are decoded; SVG and all others are refused. */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** Number of bytes needed to recognize the format. */
export const SIGNATURE_BYTES = 12

/**
 * The format that the first bytes of a file show, whatever its server or name claims; undefined for any other format.
 */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  const text = bytes.toString('latin1', 0, SIGNATURE_BYTES)
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'webp'
  return /^[^]{4}ftypavi[fs]/.test(text) ? 'avif' : undefined
}

/** Whether a file is an animation, which a decoder of its first frame would not notice. */
export function isSequence(bytes: Buffer, format: PictureFormat): boolean {
  if (format === 'avif') return bytes.toString('latin1', 8, 12) === 'avis'
  return format === 'png' && hasAnimationControl(bytes)
}

/** APNG: a chunk `acTL` before the first `IDAT` (PNG Third Edition, 11.3.6.1). */
function hasAnimationControl(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
    at += 12 + bytes.readUInt32BE(at)
  }
  return false
}
