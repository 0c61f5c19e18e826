import { waitFor } from '../harness/wait-for.ts'
import type { Mood, MoodySource } from './moody-source.ts'
import type { RunningApi } from './programs.ts'
import { uploadSteadily, type SteadyUploader } from './steady-uploader.ts'

export const CLIENTS = Array.from({ length: 12 }, (_, n) => `client-${n + 1}`)
export const ITEMS = 5

/** Batches of each client in each part of a run; some of them after the kill that ended the part before. */
const EACH_PART = 14
const AFTER_KILL = 5
/** What the source of the pictures does in each part of a run. After the last, it is there, so that late pictures can come. */
const MOODS: readonly Mood[] = [
  ...(['there', 'failing', 'resetting', 'slow', 'there'] as const),
  ...(['failing', 'resetting', 'slow', 'there'] as const),
]

export interface ManyUploaders {
  uploaders: readonly SteadyUploader[]
  /** Returns when each client has the accepted batches of the next part of the run, on a machine of any speed. */
  more(when: string): Promise<void>
  /** Ends the uploads, and the moods of the source. */
  end(): Promise<void>
}

/** Clients that upload until the end, some vehicles with pictures. */
export function startUploaders(api: RunningApi, source: MoodySource): ManyUploaders {
  const end = new AbortController()
  const uploaders = CLIENTS.map((clientId): SteadyUploader => ({ clientId, accepted: [], retries: 0 }))
  const how = { items: ITEMS, pictures: source.url, until: end.signal }
  const uploading = uploaders.map((uploader) => uploadSteadily(api, uploader, how))
  let parts = 0
  return {
    uploaders,
    more: async (when) => {
      source.become(MOODS[parts] ?? 'there')
      parts += 1
      const before = uploaders.map(({ accepted }) => accepted.length)
      const isMore = () =>
        uploaders.every(
          ({ accepted: { length } }, index) => length >= Math.max(before[index]! + AFTER_KILL, parts * EACH_PART),
        )
      await waitFor(`accepted batches ${when}`, isMore, { timeoutMs: 180_000 })
    },
    end: async () => {
      source.become('there')
      end.abort()
      await Promise.all(uploading)
    },
  }
}
