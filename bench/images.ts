import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { startModeration, type ClosableModeration } from '../worker/moderation/start-moderation.ts'
import { parseNetwork } from '../worker/moderation/images/address-policy.ts'
import { ratioOf, type Section } from './report.ts'

const PICTURES = 100
const CLIENTS = 5

/** Pictures moderated per second, compared with sharp alone decoding and shrinking the same pictures. */
export async function moderatedImages(): Promise<Section> {
  const picture = await photograph()
  const server = createServer((_, response) => void response.end(picture)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const moderation = await startModeration({
    imageAllowedAddresses: [parseNetwork('127.0.0.1')!],
    imagesAtOnce: 24,
    imagesOfOneClient: 6,
  })
  try {
    const { port } = server.address() as AddressInfo
    const judged = await perSecond(() => judgeAll(moderation, `http://127.0.0.1:${port}/`))
    const decoded = await perSecond(() => decodeAll(picture))
    return section(judged, decoded)
  } finally {
    await moderation.close()
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

async function judgeAll({ images }: ClosableModeration, url: string): Promise<void> {
  const signal = new AbortController().signal
  const sources = Array.from({ length: PICTURES }, (_, n) => ({
    src: `${url}${n}`,
    clientId: `client ${n % CLIENTS}`,
    signal,
  }))
  const verdicts = await Promise.all(sources.map((image) => images.judge(image)))
  const rejected = verdicts.find(({ accepted }) => !accepted)
  if (rejected) throw new Error(`a picture was not accepted: ${JSON.stringify(rejected)}`)
}

async function decodeAll(picture: Buffer): Promise<void> {
  for (let n = 0; n < PICTURES; n += 2) {
    const one = () => sharp(picture).resize(224, 224, { fit: 'fill' }).raw().toBuffer()
    await Promise.all([one(), one()])
  }
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  await work()
  const start = performance.now()
  await work()
  return (PICTURES * 1_000) / (performance.now() - start)
}

function section(judged: number, decoded: number): Section {
  return {
    title: 'Moderation of pictures',
    how:
      `One worker, with one thread for the model, fetches, decodes and classifies ${PICTURES} JPEG pictures of 4000 x 3000 for ` +
      `${CLIENTS} clients, from a server on the same machine.`,
    figures: [
      {
        what: 'pictures moderated in a second',
        measured: `${judged.toFixed(1)}/s`,
        comparedWith: 'the same pictures decoded to 224 x 224 by sharp, two at a time',
        ratio: ratioOf(judged, decoded),
        target: '',
        met: null,
      },
    ],
  }
}
