import { ConfigurationError } from '../configuration.ts'

/** A user and password, or a token, as an address has them. */
export type AddressLogin = { user: string; pass: string } | { token: string }

export interface Addresses {
  /** `host:port` of each server, without a login. */
  servers: string[]
  /** The hosts alone, IPv6 without brackets. */
  hosts: string[]
  /** What may be printed. */
  shown: string
  login?: AddressLogin
  /** Whether one of the addresses begins with `tls://`: then all connections are encrypted. */
  requiresTls: boolean
}

const SCHEMES = ['nats:', 'tls:']
const DEFAULT_PORT = '4222'

/**
 * The addresses of NATS servers, separated by commas. The client library takes no login and no scheme from an address, so both are
 * read here. Throws ConfigurationError, whose text never contains a login.
 */
export function readAddresses(text: string): Addresses {
  const urls = text.split(',').map((each) => readAddress(each.trim()))
  const logins = new Map(urls.map(loginOf).map((login) => [JSON.stringify(login), login]))
  if (logins.size > 1) throw new ConfigurationError(['the addresses of NATS have different logins'])
  const [login] = logins.values()
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`),
    hosts: urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')),
    shown: urls.map(({ protocol, host }) => `${protocol}//${host}`).join(', '),
    ...(login && { login }),
    requiresTls: urls.some(({ protocol }) => protocol === 'tls:'),
  }
}

function readAddress(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`)
  // A password with an unencoded / or # would otherwise end the host, and another host would be asked.
  const isWhole = url !== null && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === ''
  if (isWhole && SCHEMES.includes(url.protocol) && url.hostname !== '') return url
  throw new ConfigurationError([
    'an address of NATS cannot be read; expected nats://host:port or tls://host:port (in a login, special characters are percent-encoded)',
  ])
}

function loginOf({ username, password }: URL): AddressLogin | undefined {
  if (username === '' && password === '') return undefined
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
    return password === '' ? { token: user } : { user, pass }
  } catch {
    throw new ConfigurationError(['the login in an address of NATS is not percent-encoded'])
  }
}
