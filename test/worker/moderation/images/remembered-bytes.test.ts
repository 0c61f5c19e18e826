import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseNetwork } from '../../../../worker/moderation/images/address-policy.ts'
import { createImageModerator } from '../../../../worker/moderation/images/create-image-moderator.ts'
import { ImageFault } from '../../../../worker/moderation/images/image-fault.ts'
import { imageLimits } from '../../../../worker/moderation/images/image-limits.ts'
import { lookOnce } from '../../../../worker/moderation/images/remember-verdicts.ts'
import { startDecoder, type Decoder } from '../../../../worker/moderation/images/start-decoder.ts'
import type { ImageModerator } from '../../../../worker/moderation/types.ts'
import { photograph, startSource, type Source } from './sources.ts'

const NEUTRAL = { drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }
const INDECENT = { ...NEUTRAL, neutral: 0.1, porn: 0.9 }

let decoder: Decoder
let source: Source
let moderator: ImageModerator & { close(): Promise<void> }
/** What the source answers by path, and what was asked of the decoder and the classifier. */
let files: Map<string, Buffer>
let asked: { decoded: number; classified: number }
let scores = NEUTRAL
let deaths = 0

beforeEach(async () => {
  files = new Map()
  asked = { decoded: 0, classified: 0 }
  scores = NEUTRAL
  deaths = 0
  decoder = await startDecoder(1)
  source = await startSource((request, response) => response.end(files.get(request.url!)))
  const counted: Decoder = {
    decode: (bytes, limits) => {
      asked.decoded += 1
      if ((deaths -= 1) >= 0) throw new ImageFault('UNDECODABLE', 'The decoder ended.')
      return decoder.decode(bytes, limits)
    },
    close: () => decoder.close(),
  }
  const classifier = { classify: async () => ((asked.classified += 1), scores), close: async () => undefined }
  const nobody = { resolve4: async () => [], resolve6: async () => [] }
  const guard = { resolver: nobody, allowed: [parseNetwork('127.0.0.0/8')!], connectMs: 1_000 }
  const limits = imageLimits({ atOnce: 24, ofOneClient: 6 })
  moderator = createImageModerator({ guard, decoder: counted, classifier, limits })
})
afterEach(async () => {
  await moderator.close()
  await source.close()
})

const judge = async (path: string, isLogo = false) => {
  const signal = new AbortController().signal
  const verdict = await moderator.judge({ src: `${source.url}${path}`, clientId: 'a', isLogo, signal })
  return verdict.accepted ? 'accepted' : verdict.code
}

test('the same bytes are fetched from each address, and decoded and classified once', async () => {
  const bytes = await photograph().jpeg().toBuffer()
  for (const path of ['/one', '/two']) files.set(path, bytes)
  expect([await judge('/one'), await judge('/two'), await judge('/one')]).toEqual(['accepted', 'accepted', 'accepted'])
  expect([source.asked, asked]).toEqual([['/one', '/two', '/one'], { decoded: 1, classified: 1 }])
})

test('other bytes at the same address are judged, and an indecent picture stays one', async () => {
  files.set('/car', await photograph().jpeg().toBuffer())
  expect(await judge('/car')).toBe('accepted')
  files.set('/car', await photograph().png().toBuffer())
  scores = INDECENT
  expect(await judge('/car')).toBe('INDECENT')
  scores = NEUTRAL
  expect(await judge('/car')).toBe('INDECENT')
  expect(asked.classified).toBe(2)
})

test('a small picture that was accepted as a logo is refused as a picture of a vehicle', async () => {
  files.set('/small', await photograph(60, 40).png().toBuffer())
  expect(await judge('/small', true)).toBe('accepted')
  expect(await judge('/small')).toBe('TOO_SMALL')
  expect(await judge('/small', true)).toBe('accepted')
})

test('a decoder that ends says nothing of the same bytes later', async () => {
  files.set('/car', await photograph().jpeg().toBuffer())
  deaths = 1
  expect([await judge('/car'), await judge('/car')]).toEqual(['UNDECODABLE', 'accepted'])
})

test('what was used longest ago is looked at again', async () => {
  const once = lookOnce(2)
  let looks = 0
  const look = (text: string) => once(Buffer.from(text), 'picture', async () => (looks += 1) < 0)
  for (const text of ['a', 'b', 'a', 'c', 'a']) await look(text)
  expect(looks).toBe(3)
  await look('b')
  expect(looks).toBe(4)
})
