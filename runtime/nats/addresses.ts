import { ConfigurationError } from '../configuration.ts'

/** The user and password, or the token, of an address. */
export type AddressLogin = { user: string; pass: string } | { token: string }

export interface Addresses {
  /** `host:port` of each server, without a login. */
  servers: string[]
  /** The hosts alone, IPv6 without brackets. */
  hosts: string[]
  /** The addresses without logins, which may be logged. */
  shown: string
  login?: AddressLogin
  /** Whether one of the addresses starts with `tls://`; all connections are then encrypted. */
  requiresTls: boolean
}

const SCHEMES = ['nats:', 'tls:']
const DEFAULT_PORT = '4222'

/**
 * Parses the addresses of NATS servers, separated by commas. The client library takes neither login nor scheme from an
 * address, so both are parsed here. Throws ConfigurationError, whose text never contains a login.
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
  // In a password, an unencoded / or # would end the host, and the program would connect to another host.
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
