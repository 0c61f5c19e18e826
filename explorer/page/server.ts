import { faultOfToken, storedToken } from './token.ts'

/** The server asks for a token, or for another one; the message says why. */
export class TokenRequired extends Error {}

/** The server will give the same answer again: it does not have what was asked for. */
export class NotThere extends Error {}

const FIRST_ASKED =
  'The pricing API shows its rates to its clients. Enter an access token of a client; it is kept until this tab is closed.'

/**
 * Asks the server for a file of its rates, with the token of this tab. Throws TokenRequired, NotThere, or Error with what
 * the server says.
 */
export async function askServer(path: string): Promise<Response> {
  const token = storedToken()
  const fault = token === null ? undefined : faultOfToken(token)
  if (fault !== undefined) throw new TokenRequired(fault)
  const answer = await fetch(path, token === null ? {} : { headers: { authorization: `Bearer ${token}` } }).catch(
    () => {
      // Each browser has words of its own for it.
      throw new Error('The server does not answer.')
    },
  )
  if (answer.ok) return answer
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  // What the server says to a program that sent no token is no sentence for people.
  if (answer.status === 401 && token === null) throw new TokenRequired(FIRST_ASKED)
  const why = message ?? `The server answered ${answer.status}.`
  if (answer.status === 401 || answer.status === 403) throw new TokenRequired(why)
  throw answer.status === 400 || answer.status === 404 ? new NotThere(why) : new Error(why)
}
