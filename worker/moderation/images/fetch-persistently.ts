import { setTimeout as sleep } from 'node:timers/promises'
import type { ImageRequest } from '../types.ts'
import type { FailingSources } from './failing-sources.ts'
import { sourceUrl, type ImageFetcher } from './fetch-image.ts'
import { ImageFault, unavailable } from './image-fault.ts'

export interface Persistence {
  /** Pauses before each further attempt; there is one attempt more than pauses. */
  pausesMs: readonly number[]
  /** Longest time for all attempts at one picture together. */
  longestMs: number
}

interface Services {
  fetcher: ImageFetcher
  failing: FailingSources
  persistence: Persistence
}

/** The bytes of a picture, after several attempts when its source is down. Rejects like the last attempt. */
export async function fetchPersistently(image: ImageRequest, services: Services): Promise<Buffer> {
  const { failing, persistence } = services
  const { clientId, src } = image
  // Before any timer is started: a batch may have ten thousand addresses that are no URLs.
  sourceUrl(src)
  failing.check(clientId, src)
  const late = AbortSignal.timeout(persistence.longestMs)
  try {
    const bytes = await attempts(image, services, late)
    failing.tell(clientId, src, true)
    return bytes
  } catch (error) {
    image.signal.throwIfAborted()
    const fault = late.aborted ? unavailable('The source did not answer in time.') : error
    failing.tell(clientId, src, !(fault instanceof ImageFault && fault.mayPass))
    throw fault
  }
}

async function attempts({ src, signal }: ImageRequest, services: Services, late: AbortSignal): Promise<Buffer> {
  const { fetcher, persistence } = services
  const ended = AbortSignal.any([signal, late])
  for (const pauseMs of persistence.pausesMs) {
    try {
      return await fetcher.fetch(src, ended)
    } catch (error) {
      if (!(error instanceof ImageFault && error.mayPass)) throw error
      await sleep(pauseMs, undefined, { signal: ended })
    }
  }
  return fetcher.fetch(src, ended)
}
