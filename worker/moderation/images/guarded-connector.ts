import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isPublic, isWithin, type Network } from './address-policy.ts'
import { ImageFault, unavailable } from './image-fault.ts'

/** Resolves names; `Resolver` of `node:dns/promises` is one. */
export interface AddressResolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

export interface GuardSettings {
  resolver: AddressResolver
  /** Networks that are not public, but that connections are allowed to, at any port. */
  allowed: readonly Network[]
  connectMs: number
}

const PORTS: ReadonlySet<number> = new Set([80, 443])

/**
 * Connects to public addresses only. A name is resolved once, each of its addresses is checked, and the socket receives
 * exactly these addresses: there is no second look-up that could have another answer.
 */
export function guardedConnector(settings: GuardSettings): buildConnector.connector {
  return (options, callback) => {
    checkedAddresses(options, settings).then(
      (addresses) => {
        const lookup = answering(addresses)
        const connect = buildConnector({ timeout: settings.connectMs, allowH2: false, maxCachedSessions: 0, lookup })
        connect(options, callback)
      },
      (error: Error) => callback(error, null),
    )
  }
}

async function checkedAddresses(
  { hostname, protocol, port }: buildConnector.Options,
  { resolver, allowed }: GuardSettings,
): Promise<readonly string[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host, resolver)
  const isAllowed = addresses.every((address) => isWithin(address, allowed))
  if (isAllowed) return addresses
  if (!addresses.every((address) => isPublic(address) || isWithin(address, allowed))) {
    throw new ImageFault('FORBIDDEN_ADDRESS', 'The address of the picture is not on the public internet.')
  }
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  if (!PORTS.has(number)) throw new ImageFault('INVALID_SOURCE', 'Pictures are fetched from ports 80 and 443 only.')
  return addresses
}

async function resolve(name: string, resolver: AddressResolver): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []))
  const isKnownMissing = codes.every((code) => MISSING.has(code))
  throw unavailable('The host name of the picture could not be resolved.', !isKnownMissing)
}

const MISSING: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code

function answering(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, { all }, callback) => {
    const [first] = entries
    if (all || !first) callback(null, entries)
    else callback(null, first.address, first.family)
  }
}
