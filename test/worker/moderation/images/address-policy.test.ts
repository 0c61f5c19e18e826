import { expect, test } from 'vitest'
import { isPublic, isWithin, parseNetwork } from '../../../../worker/moderation/images/address-policy.ts'

test.each(['8.8.8.8', '1.1.1.1', '13.236.0.1', '2606:4700:4700::1111', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublic(address)).toBe(true)
  },
)

// IANA IPv4 and IPv6 Special-Purpose Address Registries, and where clouds answer their own machines.
test.each([
  ['0.0.0.0', 'this host'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'shared by carriers'],
  ['100.100.100.200', 'metadata of a cloud, in the shared network'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'a cloud host'],
  ['169.254.169.254', 'metadata of clouds'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.192', 'metadata of a cloud, in the protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', 'a relay of 6to4'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'IPv4-compatible, deprecated'],
  ['::ffff:127.0.0.1', 'mapped loopback'],
  ['::ffff:7f00:1', 'mapped loopback in hexadecimal'],
  ['::ffff:169.254.169.254', 'mapped metadata'],
  ['::ffff:0:127.0.0.1', 'translated (SIIT)'],
  ['64:ff9b::7f00:1', 'NAT64 of loopback'],
  ['64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b:1::7f00:1', 'NAT64, local use'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarks'],
  ['2001:db8::1', 'documentation'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['2002:a9fe:a9fe::1', '6to4 of metadata'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'metadata of a cloud'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'site-local, deprecated'],
  ['ff02::1', 'multicast'],
  ['4000::1', 'given to nobody'],
])('%s is not public: %s', (address) => {
  expect(isPublic(address)).toBe(false)
})

test('what is no address is not public', () => {
  expect(['', 'localhost', 'fe80::1%eth0', '1.2.3', '::g'].filter(isPublic)).toEqual([])
})

test('an address is within a network of its own family, mapped or not, and 0.0.0.0/0 opens no IPv6', () => {
  const networks = ['127.0.0.0/8', 'fd00::/8', '10.1.2.3'].map((text) => parseNetwork(text)!)
  const within = [
    '127.0.0.1',
    '::ffff:127.9.9.9',
    'fd12::1',
    '10.1.2.3',
    '10.1.2.4',
    '::1',
    '126.255.255.255',
    'fe80::1',
  ]
  expect(within.filter((address) => isWithin(address, networks))).toEqual(within.slice(0, 4))
  expect(isWithin('::1', [parseNetwork('0.0.0.0/0')!])).toBe(false)
})

test.each(['localhost', '127.0.0.1/33', '1.2.3', '127.1', '2130706433', '::1/129', ''])(
  '%s names no network',
  (text) => {
    expect(parseNetwork(text)).toBeUndefined()
  },
)
