import { KNOWN_RELEASE, type Loaded, type RateSetEntry } from '#rates/published/format.ts'

/** What is published, which an answer may leave out. */
export interface Release {
  release?: string
  published: readonly RateSetEntry[]
}

interface Answered {
  etag: string | null
  loaded: Loaded
}

const TIMEOUT_MS = 1000
/** Answers that are kept; pods come and go, and when there are more the answers of all addresses are forgotten. */
const REMEMBERED = 1000

/**
 * Asks processes on their health port. A process whose answer is unchanged replies 304, and one that serves the current
 * release leaves out the digests: otherwise one round over 100 processes with 500 sets is 4.4 MB. A process of an
 * earlier version answers in full.
 */
export function overHttp(release: () => Release): (url: string) => Promise<Loaded> {
  const answers = new Map<string, Answered>()
  return async (url) => {
    const known = answers.get(url)
    const current = release()
    const response = await fetch(new URL('/loaded', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(known?.etag && { 'if-none-match': known.etag }),
        [KNOWN_RELEASE]: current.release ?? 'none',
      },
    })
    if (response.status === 304 && known) return known.loaded
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    const answer = { etag: response.headers.get('etag'), loaded: complete(await response.json(), current) }
    if (answers.size >= REMEMBERED) answers.clear()
    answers.set(url, answer)
    return answer.loaded
  }
}

function complete(answer: unknown, { release, published }: Release): Loaded {
  const loaded = answer as Omit<Loaded, 'sets'> & Partial<Loaded>
  if (loaded.sets) return loaded as Loaded
  if (loaded.release !== release) throw new Error(`${loaded.instance} left out the digests of ${loaded.release}`)
  return { ...loaded, sets: digestsOf(published) }
}

const digests = new WeakMap<readonly RateSetEntry[], Record<string, string>>()

/** All processes share one object: 100 copies of 500 digests are megabytes. */
function digestsOf(entries: readonly RateSetEntry[]): Record<string, string> {
  const known = digests.get(entries) ?? Object.fromEntries(entries.map(({ name, digest }) => [name, digest]))
  digests.set(entries, known)
  return known
}
