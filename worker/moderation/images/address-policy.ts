import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses of one network. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The network that a text like `127.0.0.0/8` or `::1` names, undefined when it names none. */
export function parseNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** IANA gives out global unicast addresses from here only (RFC 4291, 2.4; IPv6 Global Unicast Address Assignments). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public by their number, but private by use: where a cloud's host answers its own machines. */
const HOST_SERVICES = new Set(['168.63.129.16'])

/** Networks for documentation and for segment routing that the library has no name for (RFC 9637, RFC 9602). */
const NOT_ROUTED = ['3fff::/20', '5f00::/16'].map((text) => ipaddr.IPv6.parseCIDR(text))

/** Whether an address is on the public internet; forms of IPv6 that carry an IPv4 address are not, but for mapped ones. */
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
