import sharp from 'sharp'
import { photograph } from './sources.ts'

/** A picture of the corpus, as a source would send it. */
export interface CorpusPicture {
  name: string
  bytes: () => Promise<Buffer>
}

const WIDTH = 640
const HEIGHT = 480

const drawn = (name: string, inside: string, noise = 12): CorpusPicture => ({
  name,
  bytes: async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${inside}</svg>`
    const grain = {
      create: {
        width: WIDTH,
        height: HEIGHT,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: noise },
      },
    } as const
    const input = await sharp(grain).png().toBuffer()
    return sharp(Buffer.from(svg))
      .composite([{ input, blend: 'soft-light' }])
      .jpeg({ quality: 85 })
      .toBuffer()
  },
})

const PAINTS = ['#b01818', '#f4f4f2', '#15171c', '#c8a27c']
const LEATHERS = ['#e8cdb0', '#c68f6a', '#7d4c33', '#f0dcc6']
const SKINS = ['#f1c9a9', '#c98f66', '#5b3a29', '#ffdbc4']

const sky = '<rect width="640" height="480" fill="#9fb8cf"/><rect y="300" width="640" height="180" fill="#77777a"/>'
const wheel = (x: number) =>
  `<circle cx="${x}" cy="340" r="48" fill="#141414"/><circle cx="${x}" cy="340" r="27" fill="#c9ccd0"/>`
const bodies: Record<string, string> = {
  sedan: 'M60 330 L75 270 L180 255 L245 190 L410 190 L480 255 L580 275 L590 330 Z',
  wagon: 'M60 330 L72 265 L170 250 L225 180 L540 180 L585 260 L590 330 Z',
  ute: 'M60 330 L72 265 L170 250 L220 175 L340 175 L360 255 L585 255 L590 330 Z',
}

const car = (body: string, paint: string) =>
  drawn(
    `${body} ${paint}`,
    `${sky}<path d="${bodies[body]}" fill="${paint}" stroke="#222" stroke-width="3"/>${wheel(170)}${wheel(490)}
    <path d="M235 250 L262 202 L330 202 L330 250 Z" fill="#26323c"/><rect x="66" y="285" width="30" height="14" fill="#fff3c0"/>`,
  )

const seats = (leather: string) =>
  drawn(
    `seats ${leather}`,
    `<rect width="640" height="480" fill="#1b1c1f"/>
    <rect x="70" y="60" width="210" height="400" rx="70" fill="${leather}"/><rect x="360" y="60" width="210" height="400" rx="70" fill="${leather}"/>
    ${[110, 160, 210].map((y) => `<path d="M90 ${y} Q175 ${y + 25} 260 ${y} M380 ${y} Q465 ${y + 25} 550 ${y}" stroke="#00000055" stroke-width="5" fill="none"/>`).join('')}`,
  )

const closeUp = (tone: string) =>
  drawn(
    `close-up ${tone}`,
    `<defs><radialGradient id="g" cx="40%" cy="35%"><stop offset="0" stop-color="#fff" stop-opacity="0.5"/><stop offset="1" stop-color="#000" stop-opacity="0.35"/></radialGradient></defs>
    <rect width="640" height="480" fill="${tone}"/><path d="M0 330 Q320 210 640 350 L640 480 L0 480 Z" fill="${tone}"/><rect width="640" height="480" fill="url(#g)"/>`,
  )

const page = (text: string, paper: string) =>
  drawn(
    `page ${text}`,
    `<rect width="640" height="480" fill="${paper}"/>${Array.from({ length: 9 }, (_, line) => `<text x="40" y="${70 + line * 46}" font-size="34" font-family="sans-serif" fill="#222">${text} ${line * 990 + 1990}</text>`).join('')}`,
  )

/** Centre, radii, turn in degrees, and colour. */
type Shape = readonly [number, number, number, number, number, number, number, number]

const blurred = (name: string, shapes: readonly Shape[]) =>
  drawn(
    name,
    `<defs><filter id="b"><feGaussianBlur stdDeviation="6"/></filter></defs><rect width="640" height="480" fill="#cda087"/><g filter="url(#b)">${shapes
      .map(
        ([x, y, rx, ry, turn, ...colour]) =>
          `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" transform="rotate(${turn} ${x} ${y})" fill="rgb(${colour.join()})"/>`,
      )
      .join('')}</g>`,
    0,
  )

/** Numbers that are the same in each run. */
function numbersFrom(seed: number): (least: number, most: number) => number {
  let state = seed
  return (least, most) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.round(least + ((most - least) * state) / 2_147_483_647)
  }
}

function anyShapes(seed: number): Shape[] {
  const any = numbersFrom(seed)
  const shape = (): Shape => [
    ...([any(0, 640), any(0, 480), any(30, 260), any(20, 160), any(0, 180)] as const),
    ...([any(60, 255), any(60, 255), any(60, 255)] as const),
  ]
  return Array.from({ length: 14 }, shape)
}

const plain = (name: string, picture: () => Promise<Buffer>): CorpusPicture => ({ name, bytes: picture })

/** Pictures as dealers upload them, as far as they can be drawn; none may be refused. */
export const INNOCENT_PICTURES: Record<string, readonly CorpusPicture[]> = {
  'drawn cars': Object.keys(bodies).flatMap((body) => PAINTS.map((paint) => car(body, paint))),
  'seats of leather': LEATHERS.map(seats),
  'close-ups in the colours of skin and leather': [...SKINS, ...LEATHERS].map(closeUp),
  'pages with text': ['SALE $', 'Stock no.'].flatMap((text) => [page(text, '#fff'), page(text, '#e3c7a8')]),
  'noise and single colours': [
    ...[1, 2].map((n) => plain(`noise ${n}`, () => photograph().jpeg().toBuffer())),
    ...[...SKINS, '#000', '#fff'].map((background) =>
      plain(background, () =>
        sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } })
          .jpeg()
          .toBuffer(),
      ),
    ),
  ],
  'blurred shapes, as of a lens that is out of focus': Array.from({ length: 10 }, (_, n) =>
    blurred(`shapes ${n}`, anyShapes(n + 1)),
  ),
}

/**
 * Shapes that show nothing, and that the model takes for indecent: found by a search for high scores. They stand for pictures that nobody
 * would commit, and show what disguises get past the classifier, not how often it errs.
 */
const STAND_INS: readonly (readonly Shape[])[] = [
  [
    [97, 63, 53, 200, 38, 148, 241, 170],
    [394, 415, 193, 5, 26, 36, 255, 119],
    [261, 150, 175, 58, 66, 202, 97, 114],
    [0, 263, 5, 200, 0, 47, 105, 84],
    [510, 139, 120, 43, 179, 167, 196, 133],
    [575, 332, 139, 54, 160, 126, 95, 195],
    [179, 479, 242, 30, 48, 215, 118, 126],
    [337, 174, 135, 41, 119, 221, 87, 143],
    [59, 230, 97, 91, 135, 204, 153, 160],
    [545, 290, 54, 126, 129, 182, 176, 118],
    [169, 105, 199, 97, 160, 210, 191, 167],
    [600, 371, 31, 5, 149, 166, 160, 150],
    [294, 281, 181, 28, 149, 126, 113, 174],
    [387, 463, 236, 120, 14, 144, 143, 171],
  ],
  [
    [0, 452, 300, 200, 45, 255, 5, 246],
    [436, 480, 252, 49, 0, 96, 188, 38],
    [52, 351, 148, 102, 171, 189, 112, 178],
    [340, 10, 102, 158, 70, 163, 120, 120],
    [221, 185, 134, 64, 55, 194, 177, 84],
    [459, 78, 51, 51, 109, 190, 144, 170],
    [395, 238, 233, 99, 103, 135, 137, 117],
    [539, 480, 300, 93, 0, 212, 255, 39],
    [438, 196, 101, 158, 160, 153, 156, 101],
    [57, 345, 123, 77, 128, 228, 89, 96],
    [0, 476, 5, 129, 144, 255, 181, 25],
    [330, 353, 71, 145, 20, 190, 134, 148],
    [206, 153, 89, 20, 145, 247, 135, 99],
    [135, 306, 65, 144, 171, 194, 92, 148],
  ],
  [
    [404, 131, 145, 122, 153, 145, 148, 127],
    [0, 480, 27, 18, 0, 207, 163, 126],
    [156, 254, 98, 23, 157, 124, 190, 138],
    [640, 220, 233, 96, 172, 220, 77, 72],
    [621, 480, 24, 122, 180, 220, 202, 222],
    [520, 322, 206, 50, 129, 154, 175, 104],
    [16, 294, 79, 79, 104, 132, 121, 159],
    [70, 224, 80, 5, 0, 5, 154, 246],
    [31, 480, 208, 110, 54, 50, 115, 20],
    [0, 100, 300, 151, 7, 255, 96, 237],
    [5, 135, 171, 145, 156, 255, 84, 177],
    [477, 480, 29, 5, 90, 226, 80, 5],
    [230, 88, 167, 107, 61, 244, 123, 143],
    [0, 194, 197, 5, 44, 154, 96, 55],
  ],
  [
    [547, 148, 7, 131, 123, 227, 255, 195],
    [301, 63, 160, 46, 150, 142, 200, 139],
    [322, 426, 226, 129, 47, 216, 107, 91],
    [187, 155, 89, 26, 63, 224, 111, 140],
    [188, 395, 182, 117, 136, 185, 204, 151],
    [273, 102, 180, 77, 150, 245, 144, 143],
    [381, 171, 72, 160, 101, 198, 175, 119],
    [153, 251, 69, 118, 9, 183, 112, 133],
    [0, 0, 300, 5, 70, 128, 64, 104],
    [571, 135, 161, 27, 42, 175, 103, 71],
    [623, 273, 192, 97, 62, 139, 193, 134],
    [415, 480, 41, 144, 0, 211, 97, 123],
    [382, 378, 124, 21, 172, 155, 119, 120],
    [133, 435, 190, 149, 152, 196, 153, 92],
  ],
]

export const INDECENT_PICTURES: readonly CorpusPicture[] = STAND_INS.map((shapes, n) =>
  blurred(`stand-in ${n}`, shapes),
)

async function within(bytes: Buffer, share: number): Promise<Buffer> {
  const input = await sharp(bytes)
    .resize(Math.round(WIDTH * share), Math.round(HEIGHT * share))
    .toBuffer()
  const paper = { create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#fff' } } as const
  return sharp(paper).composite([{ input }]).jpeg().toBuffer()
}

/** What a sender can do to a picture without hiding what it shows. */
export const DISGUISES: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  'as it is': async (bytes) => bytes,
  'another format': (bytes) => sharp(bytes).webp({ quality: 60 }).toBuffer(),
  'strongly compressed': (bytes) => sharp(bytes).jpeg({ quality: 20 }).toBuffer(),
  smaller: (bytes) => sharp(bytes).resize(240, 180).jpeg().toBuffer(),
  mirrored: (bytes) => sharp(bytes).flop().jpeg().toBuffer(),
  'upside down': (bytes) => sharp(bytes).rotate(180).jpeg().toBuffer(),
  turned: (bytes) => sharp(bytes).rotate(90).jpeg().toBuffer(),
  'black and white': (bytes) => sharp(bytes).grayscale().jpeg().toBuffer(),
  dark: (bytes) => sharp(bytes).modulate({ brightness: 0.4 }).jpeg().toBuffer(),
  'other colours': (bytes) => sharp(bytes).modulate({ hue: 150 }).jpeg().toBuffer(),
  'three quarters of a white page': (bytes) => within(bytes, 0.75),
  'a quarter of a white page': (bytes) => within(bytes, 0.25),
}
