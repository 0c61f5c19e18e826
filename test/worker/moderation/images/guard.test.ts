import { afterEach, expect, test } from 'vitest'
import { parseNetwork, type Network } from '../../../../worker/moderation/images/address-policy.ts'
import { createImageFetcher, type ImageFetcher } from '../../../../worker/moderation/images/fetch-image.ts'
import type { AddressResolver } from '../../../../worker/moderation/images/guarded-connector.ts'
import { startNameServer } from './name-server.ts'
import { photograph, startSource, type Source } from './sources.ts'

const picture = await photograph().jpeg().toBuffer()
const LIMITS = { mostBytes: 1_000_000, mostRedirects: 3, silenceMs: 2_000, attemptMs: 5_000 }
const NOBODY: AddressResolver = { resolve4: async () => [], resolve6: async () => [] }

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function source(...args: Parameters<typeof startSource>): Promise<Source> {
  const started = await startSource(...args)
  open.push(() => started.close())
  return started
}

const serving = (address?: string) => source((_, response) => response.end(picture), address)

function fetcher(resolver: AddressResolver = NOBODY, allowed: readonly string[] = []): ImageFetcher {
  const networks: Network[] = allowed.map((text) => parseNetwork(text)!)
  const made = createImageFetcher({ resolver, allowed: networks, connectMs: 1_000 }, LIMITS)
  open.push(() => made.close())
  return made
}

const outcome = (made: ImageFetcher, src: string) =>
  made.fetch(src, new AbortController().signal).then(
    (bytes) => bytes.length,
    (error: { code?: string }) => error.code ?? String(error),
  )

test('a picture is fetched from an address that was allowed, and its bytes are those that were served', async () => {
  const { url } = await serving()
  const bytes = await fetcher(NOBODY, ['127.0.0.1']).fetch(`${url}/a.jpg`, new AbortController().signal)
  expect(bytes.equals(picture)).toBe(true)
})

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.1', 'loopback, short'],
  ['2130706433', 'loopback, one decimal number'],
  ['0x7f000001', 'loopback, one hexadecimal number'],
  ['0x7f.0.0.1', 'loopback, hexadecimal part'],
  ['0177.0.0.1', 'loopback, octal part'],
  ['017700000001', 'loopback, one octal number'],
  ['127.0.0.1.', 'loopback, with a full stop'],
  ['１２７.０.０.１', 'loopback, full-width digits'],
  ['127。0。0。1', 'loopback, ideographic full stops'],
  ['0.0.0.0', 'unspecified'],
  ['0', 'unspecified, short'],
  ['[::1]', 'loopback, IPv6'],
  ['[::]', 'unspecified, IPv6'],
  ['[::ffff:127.0.0.1]', 'mapped'],
  ['[::ffff:7f00:1]', 'mapped, hexadecimal'],
  ['[0:0:0:0:0:ffff:7f00:0001]', 'mapped, written out'],
  ['[64:ff9b::7f00:1]', 'NAT64'],
  ['[2002:7f00:1::]', '6to4'],
  ['[fe80::1]', 'link-local'],
  ['[fd00::1]', 'unique local'],
  ['169.254.169.254', 'metadata of a cloud'],
  ['10.0.0.1', 'private'],
])('a literal address is refused and nothing is asked of it: %s, %s', async (host) => {
  const { port, asked } = await serving()
  expect(await outcome(fetcher(), `http://${host}:${port}/a.jpg`)).toBe('FORBIDDEN_ADDRESS')
  expect(asked).toEqual([])
})

test('a server on IPv6 loopback is not reached, but for its address being allowed', async () => {
  const { url, asked } = await serving('::1')
  expect(await outcome(fetcher(), url)).toBe('FORBIDDEN_ADDRESS')
  expect(asked).toEqual([])
  expect(await outcome(fetcher(NOBODY, ['::1']), url)).toBe(picture.length)
})

test.each([
  ['loopback', ['127.0.0.1'], []],
  ['a public address beside a private one', ['8.8.8.8', '10.0.0.1'], []],
  ['a public IPv4 beside IPv6 loopback', ['8.8.8.8'], ['::1']],
  ['mapped loopback', [], ['::ffff:127.0.0.1']],
])('a name is refused that a real name server resolves to %s', async (_, four, six) => {
  const names = await startNameServer((_name, family) => (family === 4 ? four : six))
  open.push(() => names.close())
  const { port, asked } = await serving()
  expect(await outcome(fetcher(names.resolver), `http://pictures.example:${port}/`)).toBe('FORBIDDEN_ADDRESS')
  expect({ asked, questions: names.asked.toSorted() }).toEqual({
    asked: [],
    questions: ['pictures.example 4', 'pictures.example 6'],
  })
})

test('rebinding: a name that is answered differently each time is connected to at the address that was checked', async () => {
  // 127.0.0.1 stands for a public address, 127.0.0.2 for a private one: it is the same port on both.
  const first = await serving('127.0.0.1')
  let answers = 0
  const names = await startNameServer((_, family) => {
    if (family === 6) return []
    answers += 1
    return [answers === 1 ? '127.0.0.1' : '127.0.0.2']
  })
  open.push(() => names.close())
  const made = fetcher(names.resolver, ['127.0.0.1'])
  expect(await outcome(made, `http://pictures.example:${first.port}/a`)).toBe(picture.length)
  expect(answers).toBe(1)
  const again = fetcher(names.resolver, ['127.0.0.1'])
  expect(await outcome(again, `http://pictures.example:${first.port}/b`)).toBe('FORBIDDEN_ADDRESS')
  expect(first.asked).toEqual(['/a'])
})

test('the system resolver is not asked: a name that only the hosts file knows does not resolve', async () => {
  const { port, asked } = await serving()
  const names = await startNameServer(() => [])
  open.push(() => names.close())
  const made = fetcher(names.resolver, ['127.0.0.1', '::1'])
  expect(await outcome(made, `http://ip6-localhost:${port}/`)).toBe('SOURCE_UNAVAILABLE')
  expect(asked).toEqual([])
})

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) to an address that is not public is not followed',
  async (status) => {
    const inner = await serving('127.0.0.2')
    const outer = await source((_, response) => response.writeHead(status, { location: `${inner.url}/secret` }).end())
    const made = fetcher(NOBODY, ['127.0.0.1'])
    expect(await outcome(made, outer.url)).toBe('FORBIDDEN_ADDRESS')
    expect({ outer: outer.asked, inner: inner.asked }).toEqual({ outer: ['/'], inner: [] })
  },
)

test.each([
  ['file:///etc/passwd', 'INVALID_SOURCE'],
  ['ftp://127.0.0.1/a.jpg', 'INVALID_SOURCE'],
  ['http://user:secret@127.0.0.1/', 'INVALID_SOURCE'],
  ['http://127.0.0.2.:80/', 'FORBIDDEN_ADDRESS'],
  ['//[::1]/', 'FORBIDDEN_ADDRESS'],
])('a redirect to %s is not followed', async (location, code) => {
  const outer = await source((_, response) => response.writeHead(302, { location }).end())
  expect(await outcome(fetcher(NOBODY, ['127.0.0.1']), outer.url)).toBe(code)
})

test('redirects are followed by name, relative ones too, three and no more', async () => {
  const hops = await source((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end(picture)
    else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(100_000))
  })
  const made = fetcher(NOBODY, ['127.0.0.1'])
  expect(await outcome(made, `${hops.url}/3`)).toBe(picture.length)
  expect(await outcome(made, `${hops.url}/4`)).toBe('TOO_MANY_REDIRECTS')
})

test.each([
  ['', 'nothing'],
  ['pictures/1.jpg', 'a path'],
  ['data:image/png;base64,AAAA', 'data'],
  ['file:///etc/passwd', 'a file'],
  ['ftp://example.com/a.jpg', 'another protocol'],
  ['unix:///run/docker.sock', 'a socket'],
  ['http://user@example.com/a.jpg', 'a user'],
  ['http://:secret@example.com/a.jpg', 'a password'],
  ['http://', 'no host'],
  ['http://256.256.256.256/', 'no address'],
])('%s is no source: %s', async (src) => {
  expect(await outcome(fetcher(), src)).toBe('INVALID_SOURCE')
})

test.each([22, 25, 6379, 8080])('port %i of a public address is not connected to', async (port) => {
  expect(await outcome(fetcher(), `http://8.8.8.8:${port}/`)).toBe('INVALID_SOURCE')
})

test('no proxy of the environment is used, and no credential, cookie or referrer is sent', async () => {
  const proxy = await serving('127.0.0.2')
  let headers: object = {}
  const cookies = await source((request, response) => {
    headers = request.headers
    response.writeHead(request.url === '/' ? 302 : 200, { location: '/b', 'set-cookie': 'a=b' }).end(picture)
  })
  const before = { ...process.env }
  Object.assign(process.env, { http_proxy: proxy.url, HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' })
  open.push(async () => void (process.env = before))
  expect(await outcome(fetcher(NOBODY, ['127.0.0.1']), cookies.url)).toBe(picture.length)
  expect(proxy.asked).toEqual([])
  expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})
