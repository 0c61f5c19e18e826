/** The formats that are decoded; SVG and all others are refused. */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** Number of bytes needed to recognize the format: of an AVIF, its brands. Encoders write ten brands at most; here 250 fit. */
export const SIGNATURE_BYTES = 1_024

/**
 * The format that the first bytes of a file show, whatever its server or name claims; undefined for any other format.
 */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  const text = bytes.toString('latin1', 0, 12)
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'webp'
  return AVIF.some((brand) => brandsOf(bytes).includes(brand)) ? 'avif' : undefined
}

/** A picture and a sequence of pictures (AV1 Image File Format, 7). */
const AVIF = ['avif', 'avis']

/**
 * The brands of a file as its first bytes show them: the major brand, then those that it is compatible with (ISO/IEC
 * 14496-12, 4.3). An AVIF may have `mif1` for its major brand, which a HEIC has too. None where the list is longer than the
 * bytes that are looked at, or where its size says that it ends with the file (0): the brand of a sequence could stand behind them.
 */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return []
  const size = bytes.readUInt32BE(0)
  if (size < 16 || size > SIGNATURE_BYTES) return []
  const end = Math.min(size, bytes.length)
  const brandAt = (at: number) => bytes.toString('latin1', at, at + 4)
  const brands = [brandAt(8)]
  // Behind the major brand is its version.
  for (let at = 16; at + 4 <= end; at += 4) brands.push(brandAt(at))
  return brands
}

/** Whether a file is an animation, which a decoder of its first frame would not notice. */
export function isSequence(bytes: Buffer, format: PictureFormat): boolean {
  if (format === 'avif') return brandsOf(bytes).includes('avis')
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
