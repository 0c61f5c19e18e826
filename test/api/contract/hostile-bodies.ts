import { deflateSync, gzipSync } from 'node:zlib'
import { suv, vehicle } from './requests.ts'

/** One body that nobody means well with: its bytes, its headers, and the statuses that are a clear answer to it. */
export interface Hostile {
  name: string
  body: string | Buffer
  headers?: Record<string, string>
  statuses: number[]
}

const good = JSON.stringify(suv())
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const inField = (field: string, json: string) => `${good.slice(0, -1)},"${field}":${json}}`
const inVehicle = (json: string) => good.replace('"seats":5', `"seats":${json}`)
const wire = (name: string, body: string | Buffer, headers: Record<string, string>, statuses: number[]): Hostile => ({
  name,
  body,
  headers,
  statuses,
})

const depths: Hostile[] = [
  { name: '100,000 open brackets', body: '['.repeat(100_000), statuses: [400] },
  { name: 'a list 50,000 deep', body: nested('[', ']', 50_000), statuses: [400] },
  { name: 'an object 40,000 deep', body: nested('{"a":', '}', 40_000), statuses: [400] },
  { name: 'a field 50,000 deep', body: inVehicle(nested('[', ']', 50_000)), statuses: [400] },
  { name: 'an unknown field 50,000 deep', body: inField('x', nested('[', ']', 50_000)), statuses: [200, 400] },
]

const numbers: Hostile[] = [
  '1e400',
  '-1e400',
  '1e308',
  '1e-400',
  '9'.repeat(10_000),
  '0.1',
  '-0.0001',
  '1E1000000',
].map((number) => ({
  name: `seats of ${number.slice(0, 20)}`,
  body: inVehicle(number),
  statuses: number === '1e-400' ? [200, 400] : [400],
}))
const notNumbers: Hostile[] = ['NaN', 'Infinity', '0x10', '+1', '01', '1_000', '.5', '5.'].map((word) => ({
  name: `seats of ${word}`,
  body: inVehicle(word),
  statuses: [400],
}))

const keys: Hostile[] = [
  { name: '__proto__ at the top', body: inField('__proto__', '{"pricingCode":"AU_NSW"}'), statuses: [400] },
  { name: '__proto__ in the vehicle', body: inVehicle('5,"__proto__":{"seats":9}'), statuses: [400] },
  { name: '__proto__ by an escape', body: inField('\\u005f_proto__', '{"x":1}'), statuses: [400] },
  { name: 'constructor.prototype', body: inField('constructor', '{"prototype":{"x":1}}'), statuses: [200] },
  { name: 'names that every object has', body: inField('toString', '1,"hasOwnProperty":2'), statuses: [200] },
  { name: 'a field twice', body: inField('pricingCode', '"AU_ZZZ"'), statuses: [400] },
  { name: 'a field twice, with the same value', body: inField('pricingCode', '"AU_VIC"'), statuses: [400] },
  { name: '5,000 unknown fields', body: manyFields(5_000), statuses: [400] },
  { name: '5,000 unknown facts', body: JSON.stringify(suv(vehicle(fields(5_000)))), statuses: [400] },
]

function fields(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]))
}
function manyFields(count: number): string {
  return JSON.stringify({ ...suv(), ...fields(count) })
}

const texts: Hostile[] = [
  '',
  ' ',
  'null',
  'true',
  '1',
  '"x"',
  '{',
  '{}x',
  '[]',
  '\u0000',
  "{'a':1}",
  '{"a":1,}',
  '// x\n{}',
].map((body) => ({ name: `the body ${JSON.stringify(body)}`, body, statuses: [400] }))

const utf16 = Buffer.from(good, 'utf16le')
const latin1 = Buffer.from(good.replace('"Vehicle"', '"Citro\u00ebn"'), 'latin1')
const json = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` })
const encodings: Hostile[] = [
  wire('UTF-16 that says nothing of it', utf16, {}, [400]),
  wire('UTF-16 that says so', utf16, json('utf-16'), [415]),
  wire('Latin-1 that says so', latin1, json('iso-8859-1'), [415]),
  wire('bytes that are no UTF-8', latin1, {}, [400]),
  wire('half a character', Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from([0xc3])]), {}, [400]),
  wire('a coding that nobody knows', good, { 'content-encoding': 'rot13' }, [415]),
  wire('no gzip that says it is', good, { 'content-encoding': 'gzip' }, [400]),
  wire('gzip that is cut off', gzipSync(good).subarray(0, 40), { 'content-encoding': 'gzip' }, [400]),
  wire('gzip', gzipSync(good), { 'content-encoding': 'gzip' }, [200]),
  wire('deflate', deflateSync(good), { 'content-encoding': 'deflate' }, [200]),
  wire('a form', 'pricingCode=AU_VIC', { 'content-type': 'application/x-www-form-urlencoded' }, [415]),
  wire('a type that is not one', good, { 'content-type': ';;;' }, [415]),
]

const bomb = (megabytes: number) => gzipSync(Buffer.alloc(megabytes * 1024 * 1024, ' '))
const sizes: Hostile[] = [
  { name: '10 MB of spaces', body: ' '.repeat(10 * 1024 * 1024), statuses: [413] },
  { name: '10 MB of text', body: inField('x', JSON.stringify('x'.repeat(10 * 1024 * 1024))), statuses: [413] },
  wire('a gzip bomb of 100 MB', bomb(100), { 'content-encoding': 'gzip' }, [413]),
  {
    name: 'a description of 200,000 letters',
    body: good.replace('"Vehicle"', `"${'x'.repeat(200_000)}"`),
    statuses: [400],
  },
]

/** Bodies for `POST /v1/quote`; made anew each time, for some are large. */
export const hostileBodies = (): Hostile[] => [
  ...depths,
  ...numbers,
  ...notNumbers,
  ...keys,
  ...texts,
  ...encodings,
  ...sizes,
]
