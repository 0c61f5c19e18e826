import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { photograph, startSource } from '../worker/moderation/images/sources.ts'

/** How a source of pictures answers: as it should, late, with an error, or by the end of the connection. */
export type Mood = 'there' | 'slow' | 'failing' | 'resetting'

export interface MoodySource {
  /** `http://127.0.0.1:port`; what is below `/broken/` is no picture, and all else is one. */
  url: string
  become(mood: Mood): void
  close(): Promise<void>
}

/** Different ones, so that a worker does not know them all after the first. */
const PHOTOGRAPHS = 8
const SLOW_MS = 1_000

/** Whether a moody source has a picture at this address when it is there. */
export const isPicture = (src: string): boolean => !src.includes('/broken/')

/** A real web server with pictures, which is sometimes away. */
export async function startMoodySource(): Promise<MoodySource> {
  const photographs = await Promise.all(Array.from({ length: PHOTOGRAPHS }, () => photograph().jpeg().toBuffer()))
  let mood: Mood = 'there'
  let asked = 0
  const source = await startSource(({ url = '' }, response) => {
    asked += 1
    const bytes = isPicture(url) ? photographs[asked % PHOTOGRAPHS]! : Buffer.from('no picture')
    void answerAs(mood, response, { bytes, isBegun: asked % 2 === 0 })
  })
  return {
    url: source.url,
    become: (next) => {
      mood = next
    },
    close: () => source.close(),
  }
}

async function answerAs(
  mood: Mood,
  response: ServerResponse,
  { bytes, isBegun }: { bytes: Buffer; isBegun: boolean },
): Promise<void> {
  if (mood === 'failing') return void response.writeHead(503).end()
  if (mood === 'slow') await sleep(SLOW_MS)
  response.setHeader('content-length', bytes.length)
  if (mood !== 'resetting') return void response.end(bytes)
  // Every second connection ends in the middle of a picture.
  if (isBegun) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  else response.destroy()
}
