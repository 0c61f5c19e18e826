import { faultOfToken, storedToken } from './token.ts'

/** The server asks for a token, or for another one; the message says why. */
export class TokenRequired extends Error {}

/** The server will give the same answer again: it does not have what was asked for. */
export class NotThere extends Error {}

const FIRST_ASKED =
  'The pricing API shows its rates to its clients. Enter an access token of a client; it is kept until this tab is closed.'

/** Milliseconds for an answer with all that it contains. */
const LIMIT_MS = 30_000

/** What the server sent. */
export interface Answer<Of> {
  content: Of
  headers: Headers
}

/**
 * Asks the server for a file of its rates, with the token of this tab; `signal` ends it. Throws TokenRequired, NotThere,
 * or Error with what happened, for people.
 */
export async function askServer<Of>(path: string, signal?: AbortSignal): Promise<Answer<Of>> {
  const token = storedToken()
  const fault = token === null ? undefined : faultOfToken(token)
  if (fault !== undefined) throw new TokenRequired(fault)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), LIMIT_MS)
  const ends = AbortSignal.any([limit.signal, ...(signal ? [signal] : [])])
  // The worker that asks in the page's name has to be told.
  ends.addEventListener('abort', () => navigator.serviceWorker?.controller?.postMessage({ ended: urlOf(path) }))
  try {
    const answer = await fetch(path, {
      signal: ends,
      ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
    })
    const text = await answer.text()
    if (!answer.ok) throw refusalOf(answer.status, text, token !== null)
    return { content: parsed(answer, text) as Of, headers: answer.headers }
  } catch (error) {
    if (limit.signal.aborted) throw new Error(`The server did not send all within ${LIMIT_MS / 1000} seconds.`)
    // Each browser has words of its own for an answer that does not come, or breaks off.
    throw error instanceof TypeError ? new Error('The server does not answer.') : error
  } finally {
    clearTimeout(timer)
  }
}

const urlOf = (path: string) => new URL(path, document.baseURI).href

function parsed({ headers }: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const isCutOff = headers.get('content-type')?.includes('json')
    throw new Error(
      isCutOff
        ? 'The answer of the server is not whole.'
        : 'Something else answered in place of the server, perhaps a page to sign in. Open this page in a new tab, and sign in.',
    )
  }
}

function refusalOf(status: number, text: string, hasToken: boolean): Error {
  // What the server says to a program that sent no token is no sentence for people.
  if (status === 401 && !hasToken) return new TokenRequired(FIRST_ASKED)
  const said = messageOf(text)
  if (status === 401 || status === 403) return new TokenRequired(said ?? 'The server does not accept the access token.')
  if (status === 400 || status === 404) return new NotThere(said ?? 'The server does not have it.')
  if (status === 429) return new Error('The server has too many requests at present.')
  const why = said === undefined ? '' : `: ${said.replace(/\.$/, '')}`
  return new Error(`The server cannot send it at present (${status}${why}).`)
}

/** What the pricing API says, where the answer is its own. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
