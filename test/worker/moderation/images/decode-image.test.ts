import { deflateSync, crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodeImage } from '../../../../worker/moderation/images/decode-image.ts'
import { imageLimits } from '../../../../worker/moderation/images/image-limits.ts'
import { photograph } from './sources.ts'

const limits = imageLimits({ atOnce: 1, ofOneClient: 1 }).decode
const codeOf = (bytes: Buffer) =>
  decodeImage(bytes, limits).then(
    (pixels) => pixels.length,
    (error: { code?: string }) => error.code ?? String(error),
  )
const PIXELS = 224 * 224 * 3

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('a %s is decoded', async (format) => {
  expect(await codeOf(await photograph().toFormat(format, { effort: 1 }).toBuffer())).toBe(PIXELS)
})

test.each([
  ['grey', () => photograph().greyscale().png()],
  ['16 bits a colour', () => photograph().toColourspace('rgb16').png()],
  ['see-through', () => photograph().ensureAlpha(0.5).png()],
  ['grey and see-through', () => photograph().greyscale().ensureAlpha(0.5).png()],
  ['of the colours of print', () => photograph().toColourspace('cmyk').jpeg()],
  ['with a palette', () => photograph().png({ palette: true })],
  ['progressive', () => photograph().jpeg({ progressive: true })],
])('a picture that is %s is decoded', async (_, make) => {
  expect(await codeOf(await make().toBuffer())).toBe(PIXELS)
})

test('the pixels are those of the picture: red above, blue below, turned as its orientation says', async () => {
  const half = await sharp({ create: { width: 640, height: 240, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer()
  const upright = sharp({ create: { width: 640, height: 480, channels: 3, background: '#ff0000' } })
  const composed = upright.composite([{ input: half, top: 240, left: 0 }])
  const first = async (bytes: Buffer) => [...(await decodeImage(bytes, limits)).subarray(0, 3)]
  expect(await first(await composed.clone().png().toBuffer())).toEqual([255, 0, 0])
  expect(await first(await composed.clone().withMetadata({ orientation: 3 }).png().toBuffer())).toEqual([0, 0, 255])
})

test('on both sides of the smallest size, lying and standing', async () => {
  const sized = async (width: number, height: number) => codeOf(await photograph(width, height).jpeg().toBuffer())
  expect(await sized(200, 150)).toBe(PIXELS)
  expect(await sized(150, 200)).toBe(PIXELS)
  expect(await sized(199, 199)).toBe('TOO_SMALL')
  expect(await sized(400, 149)).toBe('TOO_SMALL')
  expect(await sized(1, 1)).toBe('TOO_SMALL')
})

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('a %s that ends too soon is damaged', async (format) => {
  const whole = await photograph().toFormat(format, { effort: 1 }).toBuffer()
  for (const part of [0.3, 0.7, 0.95]) {
    expect(await codeOf(whole.subarray(0, Math.floor(whole.length * part)))).toBe('DAMAGED')
  }
  expect(await codeOf(whole.subarray(0, 14))).toBe('DAMAGED')
})

test.each(['webp', 'gif'] as const)('an animated %s is refused', async (format) => {
  const frames = await sharp([await photograph().png().toBuffer(), await photograph().png().toBuffer()], {
    join: { animated: true },
  })
    .toFormat(format, { effort: 1 })
    .toBuffer()
  expect(await codeOf(frames)).toBe('ANIMATED')
})

test('an animated PNG is refused, whose further pictures a decoder of PNG does not see', async () => {
  const still = await photograph().png().toBuffer()
  const control = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))
  const animated = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)])
  expect((await sharp(animated).metadata()).pages).toBeUndefined()
  expect(await codeOf(animated)).toBe('ANIMATED')
})

test('an AVIF sequence is refused', async () => {
  const still = await photograph().avif({ effort: 1 }).toBuffer()
  expect(await codeOf(Buffer.concat([still.subarray(0, 8), Buffer.from('avis'), still.subarray(12)]))).toBe('ANIMATED')
})

/** An AVIF as other encoders write it: this major brand, and compatible with these. */
function branded(avif: Buffer, major: string, compatible: readonly string[]): Buffer {
  const name = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(name.length + 4)
  const whole = Buffer.concat([length, name])
  // Where the pixels are is counted from the start of the file, so the box keeps its length.
  expect(whole).toHaveLength(avif.readUInt32BE(0))
  return Buffer.concat([whole, avif.subarray(whole.length)])
}

test('an AVIF whose major brand is that of any picture is decoded, measured, and refused when it is a sequence', async () => {
  const avif = async (width: number, height: number) => photograph(width, height).avif({ effort: 1 }).toBuffer()
  const [large, small] = [await avif(640, 480), await avif(64, 48)]
  expect(await codeOf(branded(large, 'mif1', ['miaf', 'mif1', 'avif']))).toBe(PIXELS)
  expect(await codeOf(branded(small, 'mif1', ['miaf', 'mif1', 'avif']))).toBe('TOO_SMALL')
  expect(await codeOf(branded(large, 'mif1', ['avis', 'mif1', 'avif']))).toBe('ANIMATED')
  const turned = await sharp(large).withMetadata({ orientation: 6 }).avif({ effort: 1 }).toBuffer()
  expect(await codeOf(branded(turned, 'mif1', ['miaf', 'mif1', 'avif']))).toBe(PIXELS)
})

test('wherever in its list an AVIF says that it is a sequence, it is refused, and so is a list without an end', async () => {
  const after = (brands: number, last: string, size?: number) => {
    const box = Buffer.from(`....ftypmif1\0\0\0\0${'miaf'.repeat(brands)}${last}`, 'latin1')
    box.writeUInt32BE(size ?? box.length)
    return Buffer.concat([box, Buffer.alloc(2_000)])
  }
  for (const brands of [11, 12, 20, 200]) {
    expect(await codeOf(after(brands, 'avifavis'))).toBe('ANIMATED')
    expect(await codeOf(after(brands, 'avif'))).toBe('DAMAGED')
  }
  for (const size of [0, 1, 15]) expect(await codeOf(after(1, 'avifavis', size))).toBe('NOT_AN_IMAGE')
  expect(await codeOf(after(300, 'avifavis'))).toBe('NOT_AN_IMAGE')
  const still = await photograph().avif({ effort: 1 }).toBuffer()
  const endless = Buffer.concat([Buffer.alloc(4), still.subarray(4)])
  expect(await codeOf(endless)).toBe('NOT_AN_IMAGE')
})

test.each([
  ['heic', ['mif1', 'heic', 'miaf']],
  ['mif1', ['mif1', 'heic', 'miaf']],
  ['isom', ['isom', 'iso2', 'mp41']],
])('what has the brand %s and is compatible with no AVIF is not an image', async (major, compatible) => {
  const avif = await photograph().avif({ effort: 1 }).toBuffer()
  expect(await codeOf(branded(avif, major, compatible))).toBe('NOT_AN_IMAGE')
})

test('a small file of very many pixels is refused before they are made', async () => {
  const bytes = hugePng(30_000, 30_000)
  const before = process.memoryUsage.rss()
  expect(await codeOf(bytes)).toBe('TOO_LARGE')
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
})

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="9" height="9"/></svg>', 'SVG'],
  [
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><svg>&b;</svg>',
    'SVG with entities',
  ],
  ['%PDF-1.7', 'PDF'],
  ['<html><body>404</body></html>', 'HTML'],
  ['', 'nothing'],
  ['BM6', 'BMP'],
  ['II*', 'TIFF'],
])('%s is not an image: %s', async (text) => {
  expect(await codeOf(Buffer.from(text, 'latin1'))).toBe('NOT_AN_IMAGE')
})

test('loaders of other formats are closed, should a signature ever be misread', async () => {
  const tiff = await photograph().tiff().toBuffer()
  await expect(sharp(tiff).metadata()).rejects.toThrow()
  await expect(
    sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).metadata(),
  ).rejects.toThrow()
})

test('a signature alone, and noise behind it, is damaged', async () => {
  const noise = Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 251))
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const head = (await photograph(200, 150).toFormat(format, { effort: 1 }).toBuffer()).subarray(0, 12)
    expect(await codeOf(Buffer.concat([head, noise]))).toBe('DAMAGED')
  }
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of one colour: a thousandth of a byte for each pixel. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}
