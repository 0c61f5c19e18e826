import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  connect,
  credsAuthenticator,
  errors,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
  type NatsConnection,
  type TlsOptions,
} from '@nats-io/transport-node'
import { ConfigurationError } from '../configuration.ts'
import { readAddresses, type AddressLogin, type Addresses } from './addresses.ts'

/*
 * How a program connects to NATS: addresses, one login and TLS. The login is in a folder, usually a mounted Secret, or in
 * the address. The folder is read again at each connection, so a rotated login or certificate needs no restart.
 */

/**
 * When a connection is encrypted: if the server offers TLS; always; or always, with the TLS handshake before the
 * server's greeting.
 */
export const TLS_USES = ['offered', 'required', 'first'] as const
export type TlsUse = (typeof TLS_USES)[number]

/** The addresses of NATS and the credentials for it. */
export interface NatsAccess {
  /** One address, or several separated by commas. */
  url: string
  /** A folder with files named in LOGIN_FILES and TLS_FILES. */
  secretDirectory?: string
  /** Default `offered`. A `tls://` address or a file of TLS_FILES makes it at least `required`. */
  tls?: TlsUse
}

/** One login: a credentials file, the seed of an nkey, a user with `password`, or a token. */
export const LOGIN_FILES = ['nats.creds', 'nkey.seed', 'username', 'token'] as const
type LoginFile = (typeof LOGIN_FILES)[number]

/** The authority that signed the server's certificate; a client certificate and its key. */
export const TLS_FILES = { caFile: 'ca.crt', certFile: 'tls.crt', keyFile: 'tls.key' } as const

/**
 * Subject prefix for the answers to a program's requests. Each program has its own, so that its login needs no other
 * permission and no other program receives the answers.
 */
export const inboxOf = (name: string): string => `_INBOX.${name}`

/** Connects once. Throws ConfigurationError when the login cannot be read, and otherwise the client's own error. */
export async function connectNats(
  access: NatsAccess,
  options: ConnectionOptions & { name: string },
): Promise<NatsConnection> {
  const addresses = readAddresses(access.url)
  checkFolder(access)
  // Reads the login first, so that an unreadable login is reported before anything is sent.
  const login = currentLogin(access, addresses)
  const tls = tlsOptions(access, addresses)
  const authenticator: Authenticator = (nonce) => currentLogin(access, addresses)?.(nonce)
  try {
    const inboxPrefix = inboxOf(options.name)
    return await connect({ ...options, inboxPrefix, servers: addresses.servers, authenticator, ...(tls && { tls }) })
  } catch (error) {
    if (!(error instanceof errors.AuthorizationError)) throw error
    const reason = login ? 'the server refuses the login' : 'the server requires a login, but none is set'
    throw new Error(`${reason} (${error.message})`, { cause: error })
  }
}

/** Why a connection failed, in words that never contain a login. */
export function connectFault(error: unknown): string {
  if (error instanceof ConfigurationError) return error.faults.join('; ')
  return error instanceof Error ? error.message : String(error)
}

function checkFolder({ secretDirectory: directory = '' }: NatsAccess): void {
  if (directory === '') return
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigurationError([`there is no folder ${directory}`])
  const known = [...LOGIN_FILES, TLS_FILES.caFile, TLS_FILES.certFile]
  // Without this check, a Secret with misnamed keys would look like a server without a login.
  if (known.some((name) => readSecret(directory, name) !== undefined)) return
  throw new ConfigurationError([`${directory} has none of ${known.join(', ')}`])
}

function currentLogin(
  { secretDirectory: directory = '' }: NatsAccess,
  { login }: Addresses,
): Authenticator | undefined {
  const found = LOGIN_FILES.flatMap((name) => {
    const secret = readSecret(directory, name)
    return secret === undefined ? [] : [{ name, secret }]
  })
  const names = [...found.map(({ name }) => name), ...(login ? ['the address of NATS'] : [])]
  if (names.length > 1)
    throw new ConfigurationError([`one login for NATS is expected; there is one in each of ${names.join(', ')}`])
  const [file] = found
  return file ? authenticatorOf(file.name, file.secret, directory) : login && authenticatorOfAddress(login)
}

function authenticatorOf(name: LoginFile, secret: string, directory: string): Authenticator {
  if (name === 'token') return tokenAuthenticator(secret)
  if (name === 'username') {
    const password = readSecret(directory, 'password')
    if (password === undefined) throw new ConfigurationError([`${directory} has username, and no password`])
    return usernamePasswordAuthenticator(secret, password)
  }
  const bytes = new TextEncoder().encode(`${secret}\n`)
  const authenticator = name === 'nats.creds' ? credsAuthenticator(bytes) : nkeyAuthenticator(bytes.subarray(0, -1))
  try {
    authenticator('nonce')
  } catch {
    // No cause is given: the library's error might quote the text that it could not read.
    throw new ConfigurationError([
      `${join(directory, name)} is not ${name === 'nats.creds' ? 'a credentials file' : 'the seed of an nkey'}`,
    ])
  }
  return authenticator
}

const authenticatorOfAddress = (login: AddressLogin): Authenticator =>
  'token' in login ? tokenAuthenticator(login.token) : usernamePasswordAuthenticator(login.user, login.pass)

function tlsOptions(
  { secretDirectory: directory = '', tls = 'offered' }: NatsAccess,
  addresses: Addresses,
): TlsOptions | undefined {
  const files = Object.entries(TLS_FILES).filter(([, name]) => readSecret(directory, name) !== undefined)
  const paths: TlsOptions = Object.fromEntries(files.map(([option, name]) => [option, join(directory, name)]))
  if ((paths.certFile === undefined) !== (paths.keyFile === undefined)) {
    throw new ConfigurationError([
      `${directory} has one of ${TLS_FILES.certFile} and ${TLS_FILES.keyFile}; both are expected`,
    ])
  }
  if (tls === 'offered' && !addresses.requiresTls && files.length === 0) return undefined
  // The library reads the files at each connection and passes the other options to node:tls.
  const identity = { checkServerIdentity: identityCheck(addresses.hosts) }
  return { ...paths, handshakeFirst: tls === 'first', ...identity }
}

/**
 * Checks a certificate. For a server addressed by IP, the library gives node:tls no name, and node:tls would compare
 * the certificate with `localhost`; this check compares it with the configured addresses. A server with a name is
 * compared with its name.
 */
function identityCheck(hosts: readonly string[]) {
  const nameless = hosts.filter((host) => host === 'localhost' || isIP(host) !== 0)
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    const allowed = host === 'localhost' && nameless.length > 0 ? nameless : [host]
    const errors = allowed.map((each) => checkServerIdentity(each, certificate))
    return errors.includes(undefined) ? undefined : errors[0]
  }
}

/** The text of a file in the folder; undefined when the file is absent or empty. */
function readSecret(directory: string, name: string): string | undefined {
  if (directory === '') return undefined
  try {
    return readFileSync(join(directory, name), 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
