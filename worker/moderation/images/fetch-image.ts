import { Agent, request, type Dispatcher } from 'undici'
import { parseAddress } from '#inventory/parse-address.ts'
import { guardedConnector, type GuardSettings } from './guarded-connector.ts'
import { ImageFault, unavailable } from './image-fault.ts'
import { readBody, tooLarge } from './read-body.ts'

export interface FetchLimits {
  mostBytes: number
  mostRedirects: number
  /** Longest wait for the head of an answer, and between two pieces of its body. */
  silenceMs: number
  /** Longest time of one attempt: redirects, head and body. */
  attemptMs: number
}

/** Fetches pictures; uses no proxy, sends no credentials and stores no cookies. */
export interface ImageFetcher {
  /**
   * The bytes of the picture at a URL, after one attempt. Rejects with an `ImageFault`, or with the signal's reason.
   */
  fetch(src: string, signal: AbortSignal): Promise<Buffer>
  close(): Promise<void>
}

const HEADERS = {
  'user-agent': 'driveaway-inventory (moderation of pictures)',
  accept: 'image/jpeg, image/png, image/webp, image/avif, image/gif',
  // Compressed bodies are not decompressed: a small answer must not expand into a large one.
  'accept-encoding': 'identity',
}

/** Creates a fetcher that no name, spelling of an address or redirect can lead to an address that is not public. */
export function createImageFetcher(guard: GuardSettings, limits: FetchLimits): ImageFetcher {
  const dispatcher = new Agent({
    connect: guardedConnector(guard),
    allowH2: false,
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
  })
  return {
    fetch: async (src, signal) => {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(limits.attemptMs)])
      try {
        return await followed(sourceUrl(src), { dispatcher, limits, signal: ended })
      } catch (error) {
        signal.throwIfAborted()
        throw asFault(error)
      }
    },
    close: () => dispatcher.destroy(),
  }
}

interface Fetching {
  dispatcher: Dispatcher
  limits: FetchLimits
  signal: AbortSignal
}

async function followed(start: URL, { dispatcher, limits, signal }: Fetching): Promise<Buffer> {
  let url = start
  for (let redirects = 0; redirects <= limits.mostRedirects; redirects += 1) {
    const answer = await request(url, { dispatcher, signal, headers: HEADERS })
    const location = redirection(answer)
    if (location === undefined) return bodyOf(answer, limits.mostBytes)
    answer.body.on('error', () => undefined).destroy()
    url = sourceUrl(location, url)
  }
  throw new ImageFault('TOO_MANY_REDIRECTS', `The source redirects more than ${limits.mostRedirects} times.`)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirection({ statusCode, headers: { location } }: Dispatcher.ResponseData): string | undefined {
  return REDIRECTS.has(statusCode) && typeof location === 'string' ? location : undefined
}

/**
 * Whether a status may be temporary: too many requests, a timeout or a server error (RFC 9110, 15.5.9 and 15.6; RFC
 * 6585, 4).
 */
const mayPass = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

async function bodyOf({ statusCode, headers, body }: Dispatcher.ResponseData, mostBytes: number): Promise<Buffer> {
  const fault = headFault(statusCode, headers, mostBytes)
  if (!fault) return readBody(body, mostBytes)
  body.on('error', () => undefined).destroy()
  throw fault
}

function headFault(
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  mostBytes: number,
): ImageFault | undefined {
  if (status !== 200) return unavailable(`The source answered with status ${status}.`, mayPass(status))
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    return new ImageFault('NOT_AN_IMAGE', 'The source sent a compressed body that was not requested.')
  }
  return Number(headers['content-length'] ?? 0) > mostBytes ? tooLarge(mostBytes) : undefined
}

/** The longest `src` of a picture that the contract allows; it applies to redirects too. */
const LONGEST_SOURCE = 2_048

/** The URL that a text stands for. Throws an `ImageFault` when no picture may be fetched from it. */
export function sourceUrl(text: string, base?: URL): URL {
  if (text.length > LONGEST_SOURCE) {
    throw new ImageFault('INVALID_SOURCE', `The source has more than ${LONGEST_SOURCE} characters.`)
  }
  const url = parseAddress(text, base?.href)
  if (!url) throw new ImageFault('INVALID_SOURCE', 'The source is not a URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ImageFault('INVALID_SOURCE', 'The URL of a picture must begin with https or http.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ImageFault('INVALID_SOURCE', 'The URL of a picture must not contain a user or password.')
  }
  return url
}

function asFault(error: unknown): ImageFault {
  if (error instanceof ImageFault) return error
  const { code, name } = error as { code?: unknown; name?: string }
  // The code of a DOMException is a number.
  const what = typeof code === 'string' ? code : (name ?? 'unknown')
  const isSlow = /TIMEOUT|TIMEDOUT|TimeoutError/.test(what)
  return unavailable(isSlow ? 'The source did not answer in time.' : `The source could not be read (${what}).`)
}
