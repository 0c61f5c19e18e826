import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** One way in which a request can be broken: lines of its head, a query, a body. */
export interface Broken {
  name: string
  head?: string[]
  query?: string
  body?: string | Buffer
}

const good = '{"pricingCode":"AU_VIC"}'
const json = 'content-type: application/json'
const form = 'content-type: application/x-www-form-urlencoded'
const coded = (coding: string, name: string, body: string | Buffer): Broken[] =>
  [json, form].map((type) => ({
    name: `${coding} ${name}, ${type}`,
    head: [type, `content-encoding: ${coding}`],
    body,
  }))

const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919 + 13) % 256))
const codings = [
  'br',
  'gzip',
  'x-gzip',
  'deflate',
  'zstd',
  'compress',
  'rot13',
  'gzip, br',
  'GZIP',
  ';',
  '',
  'a'.repeat(5000),
]

const encodings: Broken[] = [
  ...codings.flatMap((coding) => [
    ...coded(coding, 'of zzzz', 'zzzz'),
    ...coded(coding, 'of noise', noise),
    ...coded(coding, 'of nothing', ''),
  ]),
  ...coded('br', 'cut off', brotliCompressSync(good.repeat(50)).subarray(0, 20)),
  ...coded('gzip', 'cut off', gzipSync(good.repeat(50)).subarray(0, 20)),
  ...coded('gzip', 'with more behind it', Buffer.concat([gzipSync(good), noise])),
  ...coded('gzip', 'with a wrong checksum', Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8)])),
  ...coded('deflate', 'cut off', deflateSync(good.repeat(50)).subarray(0, 20)),
  ...coded('zstd', 'cut off', zstdCompressSync(good.repeat(50)).subarray(0, 20)),
  ...coded('br', 'of a hundred megabytes', brotliCompressSync(Buffer.alloc(100 * 1024 * 1024), { params: { 1: 1 } })),
  ...coded('gzip', 'of a hundred megabytes', gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 1 })),
]

const types = [
  'text/plain',
  ';;;',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json;;;',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/x-www-form-urlencoded; charset=utf-7',
  '/',
  '\xff',
].map((type): Broken => ({ name: `Content-Type ${type}`, head: [`content-type: ${type}`], body: good }))

const authorizations = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer \xff\xfe',
  'Bearer a.b.c',
  'Bearer ..',
  `Bearer ${'a'.repeat(7000)}`,
  'Basic',
  'Basic ====',
  'Basic \xff',
  `Basic ${Buffer.from('%:%').toString('base64')}`,
  `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
  'Digest x',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'Bearer eyJraWQiOiJfX3Byb3RvX18ifQ.bnVsbA.AA',
  'Bearer bnVsbA.bnVsbA.bnVsbA',
].map((value): Broken => ({
  name: `Authorization ${value.slice(0, 40)}`,
  head: [`authorization: ${value}`, json],
  body: good,
}))

const headers = [
  'accept: ;;;',
  'accept-encoding: ;q=x',
  'accept-encoding: identity;q=0, *;q=0',
  'accept-encoding: br;q=1.7, gzip;q=-1',
  `accept-encoding: ${'gzip,'.repeat(1500)}`,
  'accept-language: \xff',
  'cookie: \xff=\xfe; ;;=',
  'if-none-match: W/',
  'if-none-match: "',
  'if-modified-since: never',
  'range: bytes=9-1',
  'expect: banana',
  'x-request-id: {"a":"\xff"}',
  `x-request-id: ${'x'.repeat(5000)}`,
  'x-forwarded-for: , ,\xff',
  'x-http-method-override: DELETE',
  'upgrade: websocket',
  'upgrade: h2c',
  'idempotency-key: \xff',
  `idempotency-key: ${'k'.repeat(5000)}`,
  'host: ',
  'host: a b',
  'host: \xff',
  'te: trailers',
  'referer: \xff',
  'origin: null',
  '__proto__: x',
  'constructor: x',
].map((line): Broken => ({ name: `the header ${line.slice(0, 50)}`, head: [line, json], body: good }))

const queries = [
  '%',
  '%ff',
  '%00',
  '%c0%80',
  'pricingCode=%',
  'pricingCode=%ff&date=%ff&showroomCode=%ff',
  'pricingCode=a&pricingCode=b',
  '__proto__=1',
  'a[b]=1',
  'constructor[prototype]=1',
  '&'.repeat(5000),
  '='.repeat(100),
  '?'.repeat(100),
  'pricingCode=' + 'x'.repeat(9000),
  'from=9999-99-99&to=0000-00-00',
  'from=2026-07-01&to=2026-07-01&pricingCode=toString',
  'pricingCode=__proto__&showroomCode=MEL01&date=2026-07-01',
].map((query): Broken => ({ name: `the query ${query.slice(0, 50)}`, query }))

const bodies: Broken[] = [
  'null',
  '',
  '\x00',
  '[',
  '{',
  '"',
  '{"a":}',
  '[1e999]',
  '\xff\xfe{}',
  '\xc3',
  '\xef\xbb\xbf',
  '{"\xff":1}',
  '{"a":"\\ud800"}',
  '{"\\ud800":1}',
  '{"a":1,"a":2}',
  '{"__proto__":1}',
  '{"constructor":{"prototype":1}}',
  '['.repeat(30_000),
  `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
  `{"${'k'.repeat(240_000)}":1}`,
  `[${'{},'.repeat(9000)}{}]`,
  'a=%ff',
  'a=%',
  'a&a&a',
  '=&=&=',
  'grant_type=%c0%80',
  '%'.repeat(1000),
  `grant_type=client_credentials&client_id=${'x'.repeat(20_000)}&client_secret=y`,
  'grant_type=client_credentials&client_id=__proto__&client_secret=y',
  'grant_type=client_credentials&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=bnVsbA.bnVsbA.bnVsbA',
].flatMap((body) =>
  [json, form].map((type): Broken => ({ name: `the body ${body.slice(0, 40)}, ${type}`, head: [type], body })),
)

/** Requests that nobody means well with, for every operation of both APIs. */
export const brokenRequests = (): Broken[] => [
  ...encodings,
  ...types,
  ...authorizations,
  ...headers,
  ...queries,
  ...bodies,
]

/** The bytes of a broken request to an operation, which asks for its connection to be closed after it. */
export function bytesOf(method: string, path: string, broken: Broken, token?: string): Buffer {
  const { head = [], query, body = '' } = broken
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const names = head.map((line) => line.slice(0, line.indexOf(':')))
  const all = [
    `${method} ${path}${query === undefined ? '' : `?${query}`} HTTP/1.1`,
    ...(names.includes('host') ? [] : ['host: x']),
    ...(token === undefined || names.includes('authorization') ? [] : [`authorization: Bearer ${token}`]),
    ...head,
    'connection: close',
    `content-length: ${bytes.length}`,
  ]
  return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}
