import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address and the prefix length of a network. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses a text such as `127.0.0.0/8` or `::1`; undefined when it is not a network. */
export function parseNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * IANA assigns global unicast addresses only from this block (RFC 4291, 2.4; IPv6 Global Unicast Address Assignments).
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public numbers with a private use: the address at which a cloud's host answers its own machines. */
const HOST_SERVICES = new Set(['168.63.129.16'])

/** Networks for documentation and segment routing that the library does not know (RFC 9637, RFC 9602). */
const NOT_ROUTED = ['3fff::/20', '5f00::/16'].map((text) => ipaddr.IPv6.parseCIDR(text))

/**
 * Whether an address is on the public internet. IPv6 forms that embed an IPv4 address are not, except mapped addresses.
 */
export function isPublic(text: string): boolean {
  if (!isIP(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !HOST_SERVICES.has(address.toString())
  return address.match(GLOBAL_UNICAST) && !NOT_ROUTED.some((network) => address.match(network))
}

/** Whether an address is in one of the networks. */
export function isWithin(text: string, networks: readonly Network[]): boolean {
  if (!isIP(text)) return false
  const address = ipaddr.process(text)
  return networks.some(
    ([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as [never, number]),
  )
}
