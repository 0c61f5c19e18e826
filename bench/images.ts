import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { createTurns } from '#runtime/turns.ts'
import { parseNetwork } from '../worker/moderation/images/address-policy.ts'
import { imageLimits } from '../worker/moderation/images/image-limits.ts'
import { startClassifier } from '../worker/moderation/images/start-classifier.ts'
import { startDecoder } from '../worker/moderation/images/start-decoder.ts'
import { startModeration, type ClosableModeration } from '../worker/moderation/start-moderation.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const PICTURES = 50
const CLIENTS = 5
const ROUNDS = 9
const TURNS = { atOnce: 24, ofOneClient: 6 }
/** DESIGN 8.2: the rate of new pictures, compared with decoding and classifying alone. */
const TARGET = 0.8

/** Pictures in a second. */
interface Round {
  judged: number
  known: number
  alone: number
}

/** Pictures moderated per second, compared with the same decoder and classifier without the rest. */
export async function moderatedImages(): Promise<Section> {
  const photo = await photograph()
  const server = serve(photo)
  await once(server, 'listening')
  const { atOnce: imagesAtOnce, ofOneClient: imagesOfOneClient } = TURNS
  const imageAllowedAddresses = [parseNetwork('127.0.0.1')!]
  const moderation = await startModeration({ imageAllowedAddresses, imagesAtOnce, imagesOfOneClient })
  const alone = await startAlone()
  try {
    const { port } = server.address() as AddressInfo
    const rounds: Round[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const names = Array.from({ length: PICTURES }, (_, nth) => `${round}-${nth}`)
      const judge = () => judgeAll(moderation, `http://127.0.0.1:${port}/`, names)
      const [judged, known] = [await perSecond(judge), await perSecond(judge)]
      rounds.push({ judged, known, alone: await perSecond(() => alone.run(names.map((name) => named(photo, name)))) })
    }
    // V8 compiles and the model warms up in the first one.
    return section(rounds.slice(1))
  } finally {
    await Promise.all([moderation.close(), alone.close()])
    server.closeAllConnections()
    server.close()
  }
}

/** Twelve megapixels, as from a phone. */
function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const small = sharp({ create: { width: 400, height: 300, channels: 3, background: '#808080', noise } })
  return small
    .png()
    .toBuffer()
    .then((bytes) => sharp(bytes).resize(4_000, 3_000).jpeg().toBuffer())
}

/**
 * The picture with its name as a comment. The worker remembers pictures by their bytes; with other bytes and equal pixels,
 * each is decoded and classified, and costs the same.
 */
function named(photo: Buffer, name: string): Buffer {
  const text = Buffer.from(name)
  const comment = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([photo.subarray(0, 2), comment, text, photo.subarray(2)])
}

const serve = (photo: Buffer): Server =>
  createServer(({ url = '/' }, response) => void response.end(named(photo, url.slice(1)))).listen(0, '127.0.0.1')

async function judgeAll({ images }: ClosableModeration, url: string, names: readonly string[]): Promise<void> {
  const signal = new AbortController().signal
  const sources = names.map((name, nth) => ({ src: `${url}${name}`, clientId: `client ${nth % CLIENTS}`, signal }))
  const verdicts = await Promise.all(sources.map((image) => images.judge(image)))
  const rejected = verdicts.find(({ accepted }) => !accepted)
  if (rejected) throw new Error(`a picture was not accepted: ${JSON.stringify(rejected)}`)
}

/** As many decoders and classifiers as the worker has, with nothing around them. */
async function startAlone(): Promise<{ run(pictures: readonly Buffer[]): Promise<void>; close(): Promise<void> }> {
  const { decodesAtOnce, decode } = imageLimits(TURNS)
  const [decoder, classifier] = await Promise.all([startDecoder(decodesAtOnce), startClassifier()])
  const decodes = createTurns({ atOnce: decodesAtOnce, ofOneClient: decodesAtOnce })
  const signal = new AbortController().signal
  const one = async (picture: Buffer) =>
    classifier.classify(await decodes.take('one', signal, () => decoder.decode(picture, decode)))
  return {
    run: async (pictures) => void (await Promise.all(pictures.map(one))),
    close: async () => void (await Promise.all([decoder.close(), classifier.close()])),
  }
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (PICTURES * 1_000) / (performance.now() - start)
}

function section(rounds: readonly Round[]): Section {
  const median = (of: (round: Round) => number) => percentile(rounds.map(of), 50)
  const figure = (what: string, of: (round: Round) => number): Omit<Figure, 'target' | 'met'> => ({
    what,
    measured: `${median(of).toFixed(1)}/s; alone ${median(({ alone }) => alone).toFixed(1)}/s`,
    comparedWith: 'the same pictures, decoded and classified alone',
    ratio: ratioOf(
      median((round) => of(round) / round.alone),
      1,
    ),
  })
  const share = median(({ judged, alone }) => judged / alone)
  return {
    title: 'Moderation of pictures',
    how,
    figures: [
      {
        ...figure('new pictures moderated in a second', ({ judged }) => judged),
        ...{ target: `${TARGET} or more`, met: share >= TARGET },
      },
      {
        ...figure('pictures whose bytes are known, in a second', ({ known }) => known),
        ...{ target: '', met: null },
      },
    ],
  }
}

const how =
  `One worker fetches, decodes and classifies ${PICTURES} JPEG pictures of 4000 x 3000 for ${CLIENTS} clients, from a server on the same ` +
  'machine; no two have the same bytes. Alone: as many processes decode, and as many threads classify, the same bytes, which are in ' +
  'memory already. Known pictures: the same addresses and bytes again, which are fetched and compared by digest, but neither decoded nor ' +
  `classified. After a round that is not counted, alternating rounds, the medians of ${ROUNDS} ratios.`
